"""Every table of accepted findings, each from beside what it is about."""

from __future__ import annotations

from hpc_constructs.account import rendering_execution_places, rendering_people, rendering_results
from hpc_constructs.functions import construct as functions
from hpc_constructs.identity import rendering_accepted as identity
from hpc_constructs.notifications import construct as notifications
from hpc_constructs.parallelcluster import rendering_lifecycle as lifecycle
from hpc_constructs.secrets import construct as secrets
from hpc_constructs.staging import rendering as staging
from hpc_constructs.storage import rendering_backup as backup

ACCEPTED = (
    *identity.ACCEPTED,
    *staging.ACCEPTED,
    *functions.ACCEPTED,
    *secrets.ACCEPTED,
    *notifications.ACCEPTED,
    *lifecycle.ACCEPTED,
    *rendering_results.ACCEPTED,
    *rendering_people.ACCEPTED,
    *rendering_execution_places.ACCEPTED,
    *backup.ACCEPTED,
)
