import type { Command } from 'commander'
import { type DroppedJob, dropJob, jobJson, retryDeadJobs, retryJob } from '../admin/index.ts'
import { findJob, jobState, listJobs } from '../outbox/index.ts'
import { addVerb, type CliContext, OPERATOR } from './command/cli-context.ts'
import { fields } from './command/layout.ts'
import { type CommandContext, withContext } from './command/open-context.ts'
import type { Outcome } from './command/output.ts'
import { addList, listed, type PageOptions, pageOf } from './command/paging.ts'
import { shortText } from './command/text-width.ts'
import { jobSentence } from './sentences/job-sentences.ts'

interface Options {
  json?: boolean
}

const ID = "the job's id, as `outbox list` shows it"
const SOON = 'The service tries within a second, while it runs'

/** `portaria outbox …`: pending mails, and the dead letters. Their content is never shown: it may hold a one-time link. */
export function outboxCommands(program: Command, cli: CliContext): void {
  const outbox = program.command('outbox').description('pending mails and other jobs, and dead letters: those that were given up')
  addList(outbox, { summary: 'list what waits or was given up, oldest first', example: 'outbox list --dead' })
    .option('--dead', 'only dead letters, which are not tried again automatically')
    .action((options: ListOptions) => cli.onDatabase(options, (context) => list(options, context)))
  addVerb(outbox, 'show', { summary: 'show one job, and why it failed', example: 'outbox show 0197f3a2-…' })
    .argument('<id>', ID)
    .action((id: string, options: Options) => cli.onDatabase(options, (context) => show(id, context)))
  addVerb(outbox, 'retry', { summary: 'try a job now, as if it were new', example: 'outbox retry --all' })
    .argument('[id]', ID)
    .option('--all', 'every dead letter')
    .action((id: string | undefined, options: RetryOptions) => cli.print(options, retry(id, options, cli)))
  addVerb(outbox, 'drop', {
    summary: 'remove a job: what it was for is not done',
    example: 'outbox drop 0197f3a2-… --reason "left the company"',
  })
    .argument('<id>', ID)
    .requiredOption('--reason <text>', 'for the audit log')
    .action((id: string, options: DropOptions) => cli.print(options, drop(id, options, cli)))
}

const MAX_ERROR = 60

interface ListOptions extends PageOptions {
  dead?: boolean
}

async function list(options: ListOptions, { storage, now, localTime }: CommandContext): Promise<Outcome> {
  const jobs = await listJobs(storage.db, { ...pageOf(options), ...(options.dead && { only: 'dead' }) })
  return listed(jobs, options, {
    nothing: options.dead ? 'No dead letters.' : 'Nothing waits.',
    headings: ['id', 'kind', 'state', 'attempts', 'created', 'due', 'last error'],
    row: (job) => [
      job.id,
      job.kind,
      jobState(job, now()).replace('_', ' '),
      String(job.attempts),
      localTime(job.createdAt),
      localTime(job.runAt),
      shortText(job.lastError ?? '', MAX_ERROR),
    ],
    json: (job) => jobJson(job, now()),
  })
}

async function show(id: string, { storage, now, localTime }: CommandContext): Promise<Outcome> {
  const job = await findJob(storage.db, id)
  if (!job) return { complaint: jobSentence({ refusal: 'not_found' }) }
  const text = fields([
    ['id', job.id],
    ['kind', job.kind],
    ['state', jobState(job, now()).replace('_', ' ')],
    ['attempts', String(job.attempts)],
    ['created', localTime(job.createdAt)],
    ['due', localTime(job.runAt)],
    ['given up', localTime(job.deadAt)],
    ['last error', job.lastError],
  ])
  return { json: jobJson(job, now()), text }
}

interface RetryOptions extends Options {
  all?: boolean
}

async function retry(id: string | undefined, { all = false }: RetryOptions, cli: CliContext): Promise<Outcome> {
  if ((id === undefined) !== all) return { misuse: 'name one job by its id, or all dead letters with --all: see `portaria outbox list`' }
  return withContext(cli, async (context) => {
    const deps = { ...context, actor: OPERATOR }
    if (id === undefined) {
      const count = await retryDeadJobs(deps)
      return { json: { retried: count }, text: count === 0 ? 'No dead letters.' : `Due again: ${count}. ${SOON}.` }
    }
    const job = await retryJob(id, deps)
    if ('refusal' in job) return { complaint: jobSentence(job) }
    const due =
      job.runAt > context.now() ? `Its gateway wants to be left alone until ${context.localTime(job.runAt)}.` : `It is due now. ${SOON}.`
    return { json: jobJson(job, context.now()), text: `${due} See \`portaria outbox show ${id}\`.` }
  })
}

interface DropOptions extends Options {
  reason: string
}

async function drop(id: string, { reason }: DropOptions, cli: CliContext): Promise<Outcome> {
  if (reason.trim() === '') return { misuse: 'say why with --reason: it stands in the audit log' }
  return withContext(cli, async (context) => {
    const job = await dropJob(id, reason, { ...context, actor: OPERATOR })
    if ('refusal' in job) return { complaint: jobSentence(job) }
    return { json: { id, kind: job.kind, dropped: true, failed_notification_id: job.failedNotificationId ?? null }, text: droppedText(job) }
  })
}

function droppedText({ id, kind, failedNotificationId: notification }: DroppedJob): string {
  if (notification === undefined) return `Dropped ${id} (${kind}): it is not done any more.`
  return `Dropped ${id}: its gateway is not asked any more, and the notification is now \`failed\`.
To have it asked again:   portaria webhook reprocess ${notification}
If nothing is to be done: portaria webhook resolve ${notification} --ignore --reason TEXT`
}
