"""What this room raises."""


class RulesError(Exception):
    """ParallelCluster's rules cannot be installed or started; the message is one for people."""
