from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

from annotation.actions import members
from annotation.models import Member, Project

MOST_NAMED = 10  # accounts, where the one that was named is not there


class Command(BaseCommand):
    help = (
        "The people of a project: list them, add one or change a role, remove one. What is so "
        "already is left as it is."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("project", help="its slug")
        parser.add_argument("verb", choices=["list", "add", "remove"])
        parser.add_argument("username", nargs="?", help="with add and remove: the account")
        parser.add_argument(
            "--role",
            choices=Member.Role.values,
            help="with add: a manager changes everything, a reviewer reads everything, a viewer "
            "all but the known answers",
        )

    def handle(
        self, *, project: str, verb: str, username: str | None, role: str | None, **options: Any
    ) -> None:
        found = Project.objects.filter(slug=project).first()
        if found is None:
            raise CommandError(f"There is no project '{project}'.")
        if verb == "list":
            self._list(found)
            return
        if username is None:
            raise CommandError(f"Say who: ./run manage members {project} {verb} USERNAME")
        try:
            if verb == "add":
                self._add(found, account_named(username).get_username(), role)
            else:
                self._remove(found, username)
        except (members.NoAccount, members.LastManager) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(who_sees(found))

    def _list(self, project: Project) -> None:
        able = set(project.members.able_to_log_in().values_list("pk", flat=True))
        for member in _members(project):
            note = "" if member.pk in able else f"  can't log in{_remedy(member)}"
            self.stdout.write(f"{member.role:<9}{member.user.get_username()}{note}")
        self.stdout.write(who_sees(project))

    def _add(self, project: Project, username: str, role: str | None) -> None:
        if role is None:
            raise CommandError(
                f"Say which role ({', '.join(Member.Role.values)}), such as: "
                f"./run manage members {project.slug} add {username} --role {Member.Role.REVIEWER}"
            )
        member = _member(project, username)
        if member is None:
            try:
                members.add_member(project, username, role, user=None)
            except members.IsMember:  # somebody else has added them meanwhile
                return self._add(project, username, role)
            told = f"{username} is a {role} of '{project.slug}' now."
        elif member.role == role:
            told = f"{username} is a {role} of '{project.slug}' already."
        else:
            before = member.role
            members.change_role(member, role, user=None)
            told = f"{username} was a {before} of '{project.slug}' and is a {role} now."
        self.stdout.write(told)

    def _remove(self, project: Project, username: str) -> None:
        member = _member(project, username)
        if member is None:
            account_named(username, closed_too=True)
            self.stdout.write(f"{username} is no member of '{project.slug}'.")
            return
        members.remove_member(member, user=None)
        self.stdout.write(f"{username} is no member of '{project.slug}' any more.")


def who_sees(project: Project) -> str:
    """Who manages the project and where; or, where no member can log in, what to do about it."""
    able = project.members.able_to_log_in().select_related("user").order_by("user__username")
    page = f"{settings.SITE_URL}{reverse('manage:project', args=[project.slug])}"
    if managers := [m.user.get_username() for m in able if m.role == Member.Role.MANAGER]:
        verb = "manages" if len(managers) == 1 else "manage"
        return f"{', '.join(managers)} {verb} it: {page}"
    if able:
        return f"It has no manager who can log in. Add one: {_adding(project)}"
    found = [member.user.get_username() for member in _members(project)]
    who = f"its members ({', '.join(found)}) can't log in" if found else "it has no members"
    return (
        f"Look: No account but a site administrator's sees project '{project.slug}' on the pages, "
        f"because {who}. Add a manager: {_adding(project)}"
    )


def _adding(project: Project) -> str:
    return f"./run manage members {project.slug} add USERNAME --role manager"


def account_named(username: str, *, closed_too: bool = False) -> Any:
    """Raises CommandError, with the accounts that there are."""
    accounts = get_user_model().objects.all()
    account = accounts.filter(username=username).first()
    if account is not None:
        if account.is_active or closed_too:
            return account
        raise CommandError(f"The account '{username}' is closed. Name another one.")
    names = list(accounts.filter(is_active=True).values_list("username", flat=True).order_by("pk"))
    if not names:
        raise CommandError(
            f"There is no account '{username}', nor any other. Make one first: "
            "./run manage createsuperuser"
        )
    more = ", …" if len(names) > MOST_NAMED else ""
    raise CommandError(
        f"There is no account '{username}'. There are: {', '.join(names[:MOST_NAMED])}{more}. "
        "docs/managers-guide.md says under Accounts how to make one."
    )


def _member(project: Project, username: str) -> Member | None:
    return _members(project).filter(user__username=username).first()


def _members(project: Project) -> Any:
    return project.members.select_related("user", "project").order_by("role", "user__username")


def _remedy(member: Member) -> str:
    if not member.user.is_active:
        return ": the account is closed"
    return f"; a password lets them: ./run manage changepassword {member.user.get_username()}"
