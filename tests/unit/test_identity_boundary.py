"""What ParallelCluster's own roles have to do passes the boundary; what would lead further does not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.factories import cluster
from tests.iam.engine_roles import EngineRoles
from tests.iam.evaluation import Principal
from tests.iam.resolver import PARTITIONS, UUID
from tests.iam.templates import node, resolved

NAME = "demo"
LOGIN = [{"name": "login", "subnet": "public-a", "count": 1}]
EVERYTHING = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}


class Setting:
    """One cluster in one partition: its resolved policies and ParallelCluster's own roles."""

    def __init__(self, partition: str) -> None:
        self.region = PARTITIONS[partition]
        self.resolver = resolved(NAME, cluster(region=self.region, login=LOGIN))
        bucket = self.resolver.arn("EngineBucket").rpartition(":")[2]
        self.engine = EngineRoles(NAME, partition, self.region, bucket)
        self.staging = self.resolver.arn("StagingBucket")

    def role(self, kind: str) -> Principal:
        """The role of a kind, with everything that ParallelCluster attaches."""
        if kind == "cleanup":
            return Principal([self.engine.cleanup], self.resolver.document("Boundary"), self.region)
        return node(kind, self.resolver, getattr(self.engine, kind), self.engine.agent)


@pytest.fixture(scope="module", params=list(PARTITIONS))
def setting(request: pytest.FixtureRequest) -> Setting:
    return Setting(request.param)


OWN = {"resource_tags": {"parallelcluster:cluster-name": NAME}}
NEW = {"keys": {"ec2:CreateAction": "RunInstances"}}
ZONE = {"keys": {"route53:ChangeResourceRecordSetsNormalizedRecordNames": [f"cpu-dy-vcpu8-1.{NAME}.pcluster"]}}
EC2 = {"keys": {"iam:PassedToService": "ec2.amazonaws.com"}}


def needs(engine: EngineRoles, staging: str) -> list[tuple[str, str, str, dict[str, Any]]]:
    """Kind of role, action, resource and context of what ParallelCluster's own roles do in a cluster's life."""
    arn, s3 = engine.arn, engine.s3
    first, second = engine.tables
    instance, volume = arn("ec2", "instance/i-0"), arn("ec2", "volume/vol-0")
    nested = arn("cloudformation", f"stack/{NAME}-LoginNodesNestedStackLoginNodes-1A2B3C/0000")
    queues = arn("cloudformation", f"stack/{NAME}-ComputeFleetQueuesBatch0QueuesNestedStack-1A2B3C/0000")
    node_logs = arn("logs", f"log-group:/aws/parallelcluster/{NAME}-202601010000:log-stream:ip-10-0-0-1")
    function_logs = arn("logs", "log-group:/aws/lambda/pcluster-CleanupResources-0000:log-stream:1")
    zone = f"arn:{engine.partition}:route53:::hostedzone/Z0123456789"
    release = s3(f"{engine.region}-aws-parallelcluster/archives/cookbook.tgz")
    file = s3(f"{engine.engine_bucket}/parallelcluster/3.16.1/clusters/{NAME}-x/configs/cluster-config.yaml")
    group = arn("autoscaling", f"autoScalingGroup:0000:autoScalingGroupName/{NAME}-login-AutoScalingGroup")
    bucket = s3(engine.engine_bucket)
    parameter = arn("ssm", "parameter/AmazonCloudWatch-demo")
    table = [
        *(("head", f"ec2:Describe{what}", "*", {}) for what in ("LaunchTemplateVersions", "InstanceAttribute")),
        *(("head", f"ec2:Describe{what}", "*", {}) for what in ("Instances", "InstanceStatus", "Volumes")),
        ("head", "ec2:DescribeCapacityReservations", "*", {}),
        *(
            ("head", action, arn("ec2", f"{kind}/x"), {})
            for action in ("ec2:RunInstances", "ec2:CreateFleet")
            for kind in ("subnet", "fleet", "network-interface", "instance", "volume", "security-group")
        ),
        *(("head", "ec2:RunInstances", arn("ec2", f"{kind}/x"), {}) for kind in ("launch-template", "key-pair")),
        ("head", "ec2:RunInstances", arn("ec2", "placement-group/x"), {}),
        ("head", "ec2:RunInstances", arn("ec2", "image/ami-0", account=""), {}),
        ("head", "ec2:CreateTags", instance, NEW),
        ("head", "ec2:CreateTags", volume, {"keys": {"ec2:CreateAction": "CreateFleet"}}),
        ("head", "ec2:CreateTags", instance, OWN),
        ("head", "ec2:AttachVolume", instance, OWN),
        ("head", "ec2:AttachVolume", volume, OWN),
        ("head", "ec2:DetachVolume", volume, OWN),
        ("head", "ec2:TerminateInstances", instance, OWN),
        ("head", "ec2:GetConsoleOutput", instance, OWN),
        (
            "head",
            "iam:PassRole",
            arn("iam", f"role/clusterform/{NAME}/{NAME}/{NAME}-Role15b342af", region=""),
            EC2,
        ),
        *(
            ("head", f"dynamodb:{what}", first, {})
            for what in ("UpdateItem", "PutItem", "GetItem", "BatchGetItem")
        ),
        *(("head", f"dynamodb:{what}", second, {}) for what in ("PutItem", "BatchWriteItem", "GetItem")),
        ("head", "dynamodb:BatchGetItem", second, {}),
        ("head", "route53:ChangeResourceRecordSets", zone, ZONE),
        ("head", "cloudformation:DescribeStacks", engine.stack, {}),
        ("head", "cloudformation:DescribeStackResource", engine.stack, {}),
        ("head", "cloudformation:SignalResource", engine.stack, {}),
        ("head", "s3:GetObject", release, {}),
        ("head", "s3:GetObject", file, {}),
        ("head", "s3:GetObjectVersion", file, {}),
        ("head", "s3:ListBucket", bucket, {}),
        ("head", "s3:GetBucketLocation", bucket, {}),
        ("head", "s3:GetObject", f"{staging}/entry.sh", {}),
        ("head", "elasticloadbalancing:DescribeTargetGroups", "*", {}),
        ("head", "elasticloadbalancing:DescribeTargetHealth", "*", {}),
        ("cleanup", "s3:DeleteObject", file, {}),
        ("cleanup", "s3:DeleteObjectVersion", file, {}),
        ("cleanup", "s3:ListBucket", bucket, {}),
        ("cleanup", "s3:ListBucketVersions", bucket, {}),
        ("cleanup", "logs:CreateLogStream", function_logs, {}),
        ("cleanup", "logs:PutLogEvents", function_logs, {}),
        ("cleanup", "ec2:DescribeInstances", "*", {}),
        ("cleanup", "ec2:TerminateInstances", instance, OWN),
        ("cleanup", "route53:ListResourceRecordSets", zone, {}),
        ("cleanup", "route53:ChangeResourceRecordSets", zone, ZONE),
        ("compute", "cloudformation:DescribeStackResource", queues, {}),
        ("compute", "dynamodb:Query", second, {}),
        ("compute", "dynamodb:Query", f"{second}/index/InstanceId", {}),
        ("login", "cloudformation:DescribeStackResource", nested, {}),
        ("login", "cloudformation:DescribeStacks", nested, {}),
        ("login", "cloudformation:DescribeStacks", engine.stack, {}),
        ("login", "autoscaling:CompleteLifecycleAction", group, {}),
    ]
    for kind in ("compute", "login"):
        table += [(kind, f"dynamodb:{what}", first, {}) for what in ("UpdateItem", "PutItem", "GetItem")]
        table += [(kind, "ec2:DescribeInstanceAttribute", "*", {}), (kind, "s3:GetObject", release, {})]
        table += [(kind, "s3:GetObject", f"{staging}/scripts/scratch-0.sh", {})]
    for kind in ("head", "compute", "login"):
        table += [(kind, f"ec2:Describe{what}", "*", {}) for what in ("Volumes", "Tags")]
        table += [(kind, f"logs:{what}", node_logs, {}) for what in ("CreateLogGroup", "CreateLogStream")]
        table += [(kind, f"logs:{what}", node_logs, {}) for what in ("PutLogEvents", "PutRetentionPolicy")]
        table += [(kind, f"logs:{what}", "*", {}) for what in ("DescribeLogGroups", "DescribeLogStreams")]
        table += [(kind, "cloudwatch:PutMetricData", "*", {}), (kind, "ssm:GetParameter", parameter, {})]
    return table


def test_everything_that_parallelcluster_needs_passes(setting: Setting) -> None:
    table = needs(setting.engine, setting.staging)
    assert len(table) >= 100
    roles = {kind: setting.role(kind) for kind in ("head", "compute", "login", "cleanup")}
    refused = [row for row in table if not roles[row[0]].may(row[1], row[2], **row[3])]
    assert refused == []


def probes(engine: EngineRoles, staging: str) -> list[tuple[str, str, dict[str, Any]]]:
    """Action, resource and context of ways out of a cluster."""
    arn, s3 = engine.arn, engine.s3
    role = arn("iam", f"role/clusterform/{NAME}/{NAME}/x", region="")
    manager = arn("iam", f"role/clusterform/{NAME}/clusterform-pc-{NAME}-StagingRole-X", region="")
    other = {"resource_tags": {"parallelcluster:cluster-name": "other"}}
    lookalike = {"resource_tags": {"parallelcluster:cluster-name": f"{NAME}-2"}}
    names = "route53:ChangeResourceRecordSetsNormalizedRecordNames"
    zone = f"arn:{engine.partition}:route53:::hostedzone/Z0123456789"
    instance = arn("ec2", "instance/i-0")
    return [
        *(("iam:" + what, role, {}) for what in ("CreateRole", "PutRolePolicy", "AttachRolePolicy", "DeleteRole")),
        *(("iam:" + what, role, {}) for what in ("PutRolePermissionsBoundary", "DeleteRolePermissionsBoundary")),
        ("iam:UpdateAssumeRolePolicy", role, {}),
        ("iam:CreatePolicyVersion", arn("iam", f"policy/clusterform/{NAME}/x", region=""), {}),
        ("iam:CreateUser", arn("iam", "user/x", region=""), {}),
        ("iam:CreateAccessKey", arn("iam", "user/x", region=""), {}),
        ("iam:PassRole", role, {"keys": {"iam:PassedToService": "lambda.amazonaws.com"}}),
        ("iam:PassRole", manager, EC2),
        ("iam:PassRole", arn("iam", "role/Admin", region=""), EC2),
        ("iam:PassRole", arn("iam", "role/clusterform/other/other/x", region=""), EC2),
        ("sts:AssumeRole", arn("iam", "role/Admin", region=""), {}),
        ("ec2:CreateTags", instance, {}),
        ("ec2:CreateTags", instance, other),
        ("ec2:TerminateInstances", instance, other),
        ("ec2:TerminateInstances", instance, lookalike),
        ("ec2:TerminateInstances", instance, {}),
        ("ec2:RunInstances", instance, {"region": "eu-west-3"}),
        ("ec2:ModifyInstanceAttribute", instance, OWN),
        ("ec2:ModifyInstanceMetadataOptions", instance, OWN),
        ("ec2:AssociateIamInstanceProfile", instance, OWN),
        ("dynamodb:GetItem", arn("dynamodb", "table/parallelcluster-other"), {}),
        ("dynamodb:GetItem", arn("dynamodb", f"table/parallelcluster-{NAME}-2"), {}),
        ("dynamodb:DeleteTable", engine.tables[0], {}),
        ("cloudformation:SignalResource", arn("cloudformation", "stack/other/0000"), {}),
        ("cloudformation:DescribeStacks", arn("cloudformation", f"stack/{NAME}-2/0000"), {}),
        ("cloudformation:DeleteStack", engine.stack, {}),
        ("cloudformation:UpdateStack", arn("cloudformation", f"stack/clusterform-pc-{NAME}/{UUID}"), {}),
        ("secretsmanager:GetSecretValue", arn("secretsmanager", "secret:/clusterform/other/database-x"), {}),
        ("secretsmanager:PutSecretValue", arn("secretsmanager", f"secret:/clusterform/{NAME}/database-x"), {}),
        ("ssm:GetParameter", arn("ssm", "parameter/ec2/keypair/key-0123456789abcdef0"), {}),
        ("ssm:GetParameter", arn("ssm", "parameter/other"), {}),
        ("ssm:SendCommand", instance, OWN),
        ("ssm:StartSession", instance, OWN),
        ("s3:PutObject", f"{staging}/entry.sh", {}),
        ("s3:DeleteObject", f"{staging}/scripts/scratch-0.sh", {}),
        ("s3:PutBucketPolicy", staging, {}),
        ("s3:PutObject", s3(f"{engine.engine_bucket}/parallelcluster/template"), {}),
        ("s3:GetObject", s3("somebody-elses-bucket/file"), {}),
        ("s3:ListAllMyBuckets", "*", {}),
        ("kms:Decrypt", arn("kms", "key/0000"), {}),
        ("kms:CreateGrant", arn("kms", "key/0000"), {}),
        ("route53:ChangeResourceRecordSets", zone, {"keys": {names: ["www.example.org"]}}),
        ("route53:ChangeResourceRecordSets", zone, {"keys": {names: ["head.other.pcluster"]}}),
        ("lambda:InvokeFunction", arn("lambda", "function:pcluster-cfn-0000"), {}),
        ("lambda:UpdateFunctionCode", arn("lambda", f"function:clusterform-pc-{NAME}-StagingFunction"), {}),
        ("sns:Publish", arn("sns", f"clusterform-pc-{NAME}-Topic-X"), {}),
        ("organizations:ListAccounts", "*", {}),
        ("account:ListRegions", "*", {}),
        ("logs:DeleteLogGroup", arn("logs", f"log-group:/aws/parallelcluster/{NAME}-202601010000"), {}),
        (
            "logs:PutLogEvents",
            arn("logs", f"log-group:/aws/parallelcluster/{NAME}-2-202601010000:log-stream:x"),
            {},
        ),
        ("s3:GetObject", s3(f"dcv-license.{engine.region}/x"), {}),
    ]


@pytest.mark.parametrize("kind", ["head", "login", "compute"])
def test_nothing_leads_out_of_the_cluster(setting: Setting, kind: str) -> None:
    """Not even where a node's role allowed everything: the boundary is what counts."""
    table = probes(setting.engine, setting.staging)
    assert len(table) >= 50
    role = node(kind, setting.resolver, EVERYTHING)
    unlimited = Principal([EVERYTHING], setting.resolver.document("Boundary"), setting.region)
    passed = [row for row in table if role.may(row[0], row[1], **row[2])]
    passed += [row for row in table if unlimited.may(row[0], row[1], **row[2])]
    assert passed == []


def test_what_is_denied_stays_denied_without_the_boundary(setting: Setting) -> None:
    """The deny policy holds for itself: somebody may take the boundary off one day."""
    deny = Principal([EVERYTHING, setting.resolver.document("NodeDeny")], None, setting.region)
    arn, other = setting.engine.arn, {"resource_tags": {"parallelcluster:cluster-name": "other"}}
    denied = [
        ("iam:PutRolePolicy", arn("iam", "role/x", region=""), {}),
        (
            "iam:PassRole",
            arn("iam", "role/x", region=""),
            {"keys": {"iam:PassedToService": "lambda.amazonaws.com"}},
        ),
        ("sts:AssumeRole", arn("iam", "role/x", region=""), {}),
        ("s3:PutObject", f"{setting.staging}/entry.sh", {}),
        ("s3:DeleteObjectVersion", f"{setting.staging}/entry.sh", {}),
        ("s3:PutBucketPolicy", setting.staging, {}),
        ("ec2:ModifyInstanceMetadataOptions", arn("ec2", "instance/i-0"), {}),
        ("ec2:TerminateInstances", arn("ec2", "instance/i-0"), other),
        ("ssm:GetParameter", arn("ssm", "parameter/ec2/keypair/key-0"), {}),
        ("ssm:SendCommand", arn("ec2", "instance/i-0"), {}),
        ("secretsmanager:PutSecretValue", arn("secretsmanager", "secret:x"), {}),
        ("dynamodb:GetItem", arn("dynamodb", "table/parallelcluster-other"), {}),
        ("cloudformation:DeleteStack", arn("cloudformation", "stack/other/0000"), {}),
    ]
    assert [row for row in denied if deny.may(row[0], row[1], **row[2])] == []
    assert deny.may("s3:GetObject", f"{setting.staging}/entry.sh")
    assert deny.may("ec2:TerminateInstances", arn("ec2", "instance/i-0"), **OWN)
    assert deny.may("iam:PassRole", arn("iam", "role/x", region=""), **EC2)


def test_instances_may_be_passed_to_under_either_name_in_china() -> None:
    setting = Setting("aws-cn")
    role = setting.engine.arn("iam", f"role/clusterform/{NAME}/{NAME}/x", region="")
    passed = {"keys": {"iam:PassedToService": "ec2.amazonaws.com.cn"}}
    assert setting.role("head").may("iam:PassRole", role, **passed)


def test_a_zone_of_the_users_is_written_under_its_own_name() -> None:
    raw = {"Scheduling": {"SlurmSettings": {"Dns": {"HostedZoneId": "Z0123456789"}}}}
    resolver = resolved(NAME, cluster(parallelcluster={"raw": raw}))
    unlimited = Principal([EVERYTHING], resolver.document("Boundary"), "us-east-1")
    key = "route53:ChangeResourceRecordSetsNormalizedRecordNames"
    zone = "arn:aws:route53:::hostedzone/Z0123456789"
    change = "route53:ChangeResourceRecordSets"
    assert unlimited.may(change, zone, keys={key: [f"cpu-1.{NAME}.hpc.example.org"]})
    assert not unlimited.may(change, zone, keys={key: ["www.example.org"]})
