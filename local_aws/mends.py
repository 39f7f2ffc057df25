"""Every mend of ministack, in the order in which they build on each other."""

from __future__ import annotations

from local_aws import (
    alarm_events,
    buckets,
    conditions,
    custom_resources,
    deletion_order,
    ec2_catalogue,
    faults,
    filesystems,
    function_logs,
    functions,
    hosted_templates,
    key_pairs,
    log_groups,
    nested_stacks,
    one_operation_per_stack,
    policies_in_use,
    prefix_lists,
    roles_boundary,
    rollbacks,
    secrets,
    security_groups,
    service_linked_roles,
    stack_events,
    unchanged_resources,
    volumes,
)

MENDS = (
    conditions,
    roles_boundary,
    policies_in_use,
    buckets,
    log_groups,
    secrets,
    security_groups,
    key_pairs,
    prefix_lists,
    volumes,
    filesystems,
    functions,
    function_logs,
    alarm_events,
    service_linked_roles,
    stack_events,
    faults,
    custom_resources,
    deletion_order,
    rollbacks,
    unchanged_resources,
    nested_stacks,
    one_operation_per_stack,
    hosted_templates,
    ec2_catalogue,
)


def install() -> None:
    """Apply all of them; once a process, before the server starts."""
    for mend in MENDS:
        mend.install()
