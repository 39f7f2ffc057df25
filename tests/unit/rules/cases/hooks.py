from tests.unit.rules.case import Case


def hook(script: str, moment: str = "on_node_configured", **more: object) -> dict:
    return {"hooks": {moment: [{"script": script} | more]}}


PATH = ("hooks", "on_node_configured", 0, "script")
GOOD = hook("site/good.sh")

CASES = [
    Case(rule="hook-script", path=PATH, says="outside the project", bad=hook("../good.sh"), good=GOOD),
    Case(rule="hook-script", path=PATH, says="outside the project", bad=hook("site/../site/good.sh"), good=GOOD),
    Case(rule="hook-script", path=PATH, says="outside the project", bad=hook("/bin/sh"), good=GOOD),
    Case(rule="hook-script", path=PATH, says="outside the project", bad=hook("site/link.sh"), good=GOOD),
    Case(rule="hook-script", path=PATH, says="is not a file", bad=hook("site/absent.sh"), good=GOOD),
    Case(rule="hook-script", path=PATH, says="is not a file", bad=hook("site"), good=GOOD),
    Case(rule="hook-script", path=PATH, says="262,145 bytes", bad=hook("site/big.sh"), good=hook("site/limit.sh")),
    Case(rule="hook-script", path=PATH, says="not a text file", bad=hook("site/binary.sh"), good=GOOD),
    Case(rule="hook-script", path=PATH, says="Windows line ends", bad=hook("site/windows.sh"), good=GOOD),
    Case(rule="hook-script", path=PATH, says="interpreter", bad=hook("site/bare.sh"), good=GOOD),
    *(
        Case(
            rule="hook-script",
            path=("hooks", moment, 0, "script"),
            says="outside the project",
            bad=hook("../good.sh", moment),
            good=hook("site/good.sh", moment),
        )
        for moment in ("job_prolog", "job_epilog")
    ),
    Case(
        rule="hook-nodes",
        path=("hooks", "on_node_start", 0, "nodes"),
        says="on_node_start runs on the head node only, nodes are head, login, compute",
        bad=hook("site/good.sh", "on_node_start"),
        good=hook("site/good.sh", "on_node_start", nodes=["head"]),
    ),
    Case(
        rule="hook-nodes",
        path=("hooks", "on_node_updated", 0, "nodes"),
        says="nodes are compute",
        bad=hook("site/good.sh", "on_node_updated", nodes=["compute"]),
        good=hook("site/good.sh", "on_node_configured", nodes=["compute"]),
    ),
]
