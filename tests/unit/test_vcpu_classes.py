import pytest

from config.facts.instance_types import load
from config.models.compute import Queue
from config.vcpu_classes import VcpuClass, classes


def split(*types: str, multithreading: bool = True) -> list[tuple[str, tuple[str, ...]]]:
    queue = Queue(name="q", instance_types=list(types), subnets=["a"], multithreading=multithreading)
    return [(group.name, group.instance_types) for group in classes(queue, load())]


def test_equal_sizes_share_a_class_in_the_order_of_the_file() -> None:
    assert split("c8g.2xlarge", "c7g.2xlarge", "c6g.2xlarge") == [
        ("vcpu8", ("c8g.2xlarge", "c7g.2xlarge", "c6g.2xlarge"))
    ]


def test_unequal_sizes_are_apart_in_order_of_first_appearance() -> None:
    assert split("c8g.4xlarge", "c8g.2xlarge", "m8g.4xlarge") == [
        ("vcpu16", ("c8g.4xlarge", "m8g.4xlarge")),
        ("vcpu8", ("c8g.2xlarge",)),
    ]


def test_without_multithreading_cores_count() -> None:
    """A c6a core has two threads, a c7a core one: equal vCPUs, unequal cores."""
    assert split("c6a.2xlarge", "c7a.2xlarge") == [("vcpu8", ("c6a.2xlarge", "c7a.2xlarge"))]
    assert split("c6a.2xlarge", "c7a.2xlarge", multithreading=False) == [
        ("core4", ("c6a.2xlarge",)),
        ("core8", ("c7a.2xlarge",)),
    ]


def test_accelerators_are_apart_by_kind_count_and_maker() -> None:
    assert split("c5.4xlarge", "g5.4xlarge", "g4dn.4xlarge", "g4ad.4xlarge") == [
        ("vcpu16", ("c5.4xlarge",)),
        ("vcpu16-gpu1", ("g5.4xlarge", "g4dn.4xlarge")),
        ("vcpu16-gpu1-amd", ("g4ad.4xlarge",)),
    ]
    assert split("inf2.24xlarge", "g5.24xlarge", "trn1.32xlarge") == [
        ("vcpu96-inf6", ("inf2.24xlarge",)),
        ("vcpu96-gpu4", ("g5.24xlarge",)),
        ("vcpu128-neuron16", ("trn1.32xlarge",)),
    ]


def test_names_do_not_depend_on_neighbours() -> None:
    (alone,) = split("g4ad.4xlarge")
    assert alone[0] == split("g5.4xlarge", "g4ad.4xlarge")[1][0]


def test_every_name_of_the_catalogue_fits_parallelcluster() -> None:
    types = load()
    queue = Queue(name="q", instance_types=list(types), subnets=["a"])
    groups: list[VcpuClass] = classes(queue, types)
    assert sum(len(group.instance_types) for group in groups) == len(types)
    assert all(len(group.name) <= 25 and group.name == group.name.lower() for group in groups)


def test_an_unknown_type_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        split("c99.large")
