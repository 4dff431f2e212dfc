"""`pbem newsletter`: who gets it, what it would say, and what past ones said."""

import click

from pbem.commands.common import JSON, NUMBER, UsageError, command, show
from pbem.commands.open_league import opened
from pbem.handlers.moderator.ruling_table import by_shell
from pbem.host.clock import wall_clock
from pbem.news import stored_issues
from pbem.news.newsletter import Newsletter
from pbem.people import readers
from pbem.rendering import Page
from pbem.service.service import Service
from pbem.storage import Issue


@command
@NUMBER
@click.option("--preview", is_flag=True, help="print what one would say now")
@click.option("--now", is_flag=True, help="send one now")
@click.option("--html", is_flag=True, help="as HTML")
@JSON
def newsletter(number: int | None, preview: bool, now: bool, html: bool, as_json: bool) -> None:
    """Show the state of the newsletter, print issue N, or order one."""
    if (number is not None) + preview + now > 1:
        raise UsageError("newsletter: a number, --preview or --now, one of them at a time")
    with opened() as (settings, store):
        service = Service(settings, store)
        if number is not None:
            _print(html, service, service.ports.newsletter.page(_printed(service, number)))
        elif preview:
            _print(html, service, service.ports.newsletter.preview(wall_clock()))
        elif now:
            print(by_shell(service.ports, "NEWSLETTER", wall_clock()))
        else:
            _tell(as_json, service.ports.newsletter)


def _printed(service: Service, number: int) -> Issue:
    found = service.ports.store.find(Issue, number)
    if found is None:
        raise UsageError(
            f"there is no newsletter {number}; {service.ports.store.size(Issue)} are out"
        )
    if not found.page:
        raise UsageError(
            f"newsletter {number} contained words of somebody who has left, and was erased"
        )
    return found


def _print(html: bool, service: Service, page: Page) -> None:
    """Print an issue's text, or its HTML as a letter would hold it."""
    if not html:
        print(page.text)
        return
    print(service.ports.outbox.renderer.alone(page, service.ports.settings.league.language), end="")


def _tell(as_json: bool, news: Newsletter) -> None:
    issues, due = (
        stored_issues.latest(news.store),
        news.next_issue(wall_clock()),
    )
    under_way = [one for one in issues if not one.done]
    facts = {
        "readers": len(readers.active(news.store)),
        "editorials_waiting": len(stored_issues.editorials(news.store, state="waiting")),
        "issues": news.store.size(Issue),
        "last_issue": issues[0].until.isoformat(timespec="minutes") if issues else None,
        "going_out": under_way[0].id if under_way else None,
        "next_issue": due.isoformat(timespec="minutes") if due else None,
    }
    show(as_json, facts)
