from tests.unit.rules.case import Case, head, queues

X86 = head(instance_type="c5.xlarge")
GPU = {"capacity": "ondemand", "efa": True}

CASES = [
    Case(
        rule="efa-capable",
        path=("queues", 0, "efa"),
        says="uses EFA, which c8g.2xlarge, c8g.4xlarge cannot",
        bad=queues(instance_types=["c8g.2xlarge", "c8g.4xlarge", "c7gn.16xlarge"], efa=True),
        good=queues(instance_types=["c7gn.16xlarge"], efa=True),
    ),
    Case(
        rule="gpudirect-needs-efa",
        path=("queues", 0, "gpudirect"),
        says="goes over EFA, and has no EFA",
        bad=X86 | queues(instance_types=["p5.48xlarge"], gpudirect=True),
        good=X86 | queues(instance_types=["p5.48xlarge"], gpudirect=True, **GPU),
    ),
    Case(
        rule="gpudirect-capable",
        path=("queues", 0, "gpudirect"),
        says="which g5.8xlarge cannot",
        bad=X86 | queues(instance_types=["g5.8xlarge"], gpudirect=True, **GPU),
        good=X86 | queues(instance_types=["g5.8xlarge"], gpudirect=False, **GPU),
    ),
    Case(
        rule="gpudirect-capable",
        path=("queues", 0, "gpudirect"),
        says="which hpc7a.96xlarge cannot",
        bad=X86 | queues(instance_types=["hpc7a.96xlarge"], gpudirect=True, **GPU),
        good=X86 | queues(instance_types=["g7e.48xlarge"], gpudirect=True, **GPU),
    ),
    Case(
        rule="accelerator-drivers",
        path=("queues", 0, "instance_types", 0),
        says="no driver for the AMD Radeon Pro V520 of g4ad.xlarge",
        bad=X86 | queues(instance_types=["g4ad.xlarge"]),
        good=X86 | queues(instance_types=["g4ad.xlarge"], custom_ami="ami-0abc1234"),
    ),
    Case(
        rule="accelerator-drivers",
        path=("queues", 0, "instance_types", 0),
        says="Qualcomm",
        bad=X86 | queues(instance_types=["dl2q.24xlarge"], capacity="ondemand"),
        good=X86 | queues(instance_types=["inf2.xlarge"], capacity="ondemand"),
    ),
]
