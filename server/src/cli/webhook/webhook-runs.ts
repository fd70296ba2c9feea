import type { Command } from 'commander'
import { type NotificationRun, type OpenSince, runJson, runStore, startRun, stopRun, workOnRun } from '../../admin/index.ts'
import { isoTime } from '../../kit/index.ts'
import { addVerb, type CliContext, OPERATOR } from '../command/cli-context.ts'
import { fields, paragraphs, table } from '../command/layout.ts'
import type { CommandContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { createProgress } from '../command/progress.ts'
import { pendingTexts } from '../sentences/notification-sentences.ts'

const LISTED = 20

/** `portaria webhook runs` and `stop`: what was processed again in one go, by a command or in the console. */
export function addRuns(webhook: Command, cli: CliContext): void {
  addVerb(webhook, 'runs', {
    summary: 'list what was processed again with --since or --all, the newest first',
    example: 'webhook runs',
  }).action((options: { json?: boolean }) => cli.onDatabase(options, (context) => list(context)))
  addVerb(webhook, 'stop', { summary: 'stop a run; what it has done stays', example: 'webhook stop 0199c2b4-…' })
    .argument('<run>', "the run's id, as `webhook runs` shows it")
    .action((id: string, options: { json?: boolean }) => cli.onDatabase(options, (context) => stop(id, context)))
}

async function list({ storage: { db }, localTime }: CommandContext): Promise<Outcome> {
  const runs = await runStore(db).list(LISTED)
  const json = await Promise.all(runs.map((run) => runJson(db, run)))
  const rows = runs.map((run, n) => [
    run.id,
    run.state,
    localTime(run.createdAt),
    localTime(run.since),
    `${doneOf(run)} of ${run.total}`,
    String((json[n]?.asked_by_now.failed ?? 0) + (run.pending.fault ?? 0)),
    run.actor,
  ])
  const text = rows.length === 0 ? 'No runs yet.' : table(['id', 'state', 'begun', 'since', 'done', 'failed', 'by'], rows)
  return { json, text }
}

async function stop(id: string, context: CommandContext): Promise<Outcome> {
  const run = await stopRun(id, { ...context, actor: OPERATOR })
  if ('refusal' in run) return { complaint: 'there is no run with this id: see `portaria webhook runs`' }
  const text = run.state === 'stopped' ? 'Stopped: what it has done stays.' : 'It had ended already.'
  return { json: await runJson(context.storage.db, run), text }
}

/**
 * Counts what waits or failed since then (ms), and has it processed again while its progress is shown. The service takes part, and goes on
 * with it if this command is ended.
 */
export async function reprocessSince(
  since: number,
  { count: isCount }: { count: boolean },
  context: CommandContext,
  cli: CliContext,
): Promise<Outcome> {
  const { db } = context.storage
  const open = await runStore(db).countOpen(since)
  const total = open.unresolved + open.failed
  if (isCount) return counted(open)
  if (total === 0) return { json: { ...none, since: isoTime(since) }, text: paragraphs('None waits.', beingAsked(open)) }
  cli.stderr.write(`portaria: ${sentenceOf(open)}\n`)
  const begun = await startRun({ since, mayConcernRoles: true }, { ...context, actor: OPERATOR })
  if ('refusal' in begun) {
    const running = await runStore(db).findRunning()
    return {
      complaint: `another run is under way (${running?.id}, begun ${context.localTime(running?.createdAt)}): see \`portaria webhook runs\``,
    }
  }
  await follow(begun, context, cli)
  const run = (await runStore(db).find(begun.id)) ?? begun
  return outcomeOf(run, await runJson(db, run))
}

const none = { total: 0, done: 0, processed: 0, asked: 0, pending: {} }

async function follow(run: NotificationRun, context: CommandContext, cli: CliContext): Promise<void> {
  let done = 0
  const progress = createProgress('notifications', cli)
  const onStep = () => {
    done++
    progress.at(done, done / run.total)
  }
  await workOnRun(run.id, { ...context, forMs: Number.POSITIVE_INFINITY, onStep })
  progress.end()
}

function doneOf({ processed, asked, pending }: NotificationRun): number {
  return processed + asked + Object.values(pending).reduce((sum, count) => sum + count, 0)
}

function counted(open: OpenSince): Outcome {
  const { unresolved, failed, awaitingGateway } = open
  return { json: { unresolved, failed, awaiting_gateway: awaitingGateway }, text: paragraphs(sentenceOf(open), beingAsked(open)) }
}

function sentenceOf({ unresolved, failed }: OpenSince): string {
  return `${unresolved + failed} to process again: ${unresolved} unresolved, ${failed} failed`
}

function beingAsked({ awaitingGateway }: OpenSince): string | undefined {
  return awaitingGateway === 0 ? undefined : `Gateways are being asked about ${awaitingGateway} more: nothing is to be done about them.`
}

function outcomeOf(run: NotificationRun, json: object): Outcome {
  const { processed, asked, pending } = run
  const reasons = Object.entries(pending).map(([why, times]) => `${times}: ${whyTexts[why] ?? why}`)
  const text = fields([
    ['processed', String(processed)],
    ['asked again', asked === 0 ? undefined : String(asked)],
    ['still pending', String(doneOf(run) - processed - asked)],
    ['because', reasons],
  ])
  const hint = reasons.length === 0 ? undefined : HINT
  const later =
    asked === 0 ? undefined : 'The running service asks the gateways now; see what came of it: `portaria webhook list --status failed`'
  return { json, text: paragraphs(text, later, hint) }
}

const HINT = 'See which: `portaria webhook list --status unresolved`; resolve one: `portaria webhook resolve ID --plan SLUG`'

const whyTexts: Readonly<Record<string, string>> = {
  ...pendingTexts,
  changed_meanwhile: 'somebody else was faster',
  fault: 'the service failed: its log says why',
}
