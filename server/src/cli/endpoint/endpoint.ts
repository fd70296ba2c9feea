import type { Command } from 'commander'
import { attemptJson } from '../../admin/index.ts'
import { endpointStore } from '../../app-events/index.ts'
import {
  DELIVERY_MS,
  disableEndpoint,
  enableEndpoint,
  hasArrived,
  removeEndpoint,
  rotateEndpointSecret,
  testEndpoint,
} from '../../event-delivery/index.ts'
import { createGuardedFetch } from '../../guarded-fetch/index.ts'
import { isoTime } from '../../kit/index.ts'
import { addVerb, type CliContext, OPERATOR } from '../command/cli-context.ts'
import type { CommandContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { endpointSentence } from '../sentences/endpoint-sentences.ts'
import { addAdd } from './endpoint-add.ts'
import { addListing } from './endpoint-list.ts'
import { addSet } from './endpoint-set.ts'
import { shownEndpoint, WHICH } from './endpoint-view.ts'

/** `portaria endpoint …`: where events are delivered to. */
export function endpointCommands(program: Command, cli: CliContext): void {
  const endpoint = program.command('endpoint').description('where events are delivered to, signed as Standard Webhooks')
  const verb = (
    usage: string,
    help: { summary: string; example: string },
    work: (id: string, context: CommandContext) => Promise<Outcome>,
  ) =>
    addVerb(endpoint, usage, help)
      .argument('<id>', WHICH)
      .action((id: string, options: { json?: boolean }) => cli.onDatabase(options, (context) => work(id, context)))
  addAdd(endpoint, cli)
  addSet(endpoint, cli)
  addListing(endpoint, cli)
  verb('show', { summary: 'show an endpoint and its health', example: 'endpoint show 0199c2b4-…' }, show)
  verb(
    'rotate-secret',
    { summary: 'make a new secret; the one before signs for a day, too', example: 'endpoint rotate-secret 0199c2b4-…' },
    rotate,
  )
  verb(
    'test',
    {
      summary: 'send a test event now; if it arrives, an endpoint that failures have disabled is enabled again',
      example: 'endpoint test 0199c2b4-…',
    },
    test,
  )
  verb('enable', { summary: 'deliver to it again', example: 'endpoint enable 0199c2b4-…' }, (id, context) =>
    change(enableEndpoint(id, { ...context, actor: OPERATOR }), context),
  )
  verb('disable', { summary: 'deliver nothing to it', example: 'endpoint disable 0199c2b4-…' }, (id, context) =>
    change(disableEndpoint(id, { ...context, actor: OPERATOR }), context),
  )
  verb('remove', { summary: 'remove it with everything that waits for it', example: 'endpoint remove 0199c2b4-…' }, remove)
}

async function show(id: string, context: CommandContext): Promise<Outcome> {
  const endpoint = await endpointStore(context.storage.db).findById(id)
  return endpoint ? shownEndpoint(endpoint, context) : { complaint: endpointSentence('not_found') }
}

async function rotate(id: string, context: CommandContext): Promise<Outcome> {
  const made = await rotateEndpointSecret(id, { ...context, actor: OPERATOR })
  if ('refusal' in made) return { complaint: endpointSentence(made.refusal) }
  const until = made.previousUntil
  const text = `Secret, shown this once, keep it now:\n  ${made.secret}\n\nUntil ${context.localTime(until)} deliveries are signed with the secret before, too.`
  return { json: { id, secret: made.secret, previous_secret_until: isoTime(until) }, text }
}

async function change(done: ReturnType<typeof enableEndpoint>, context: CommandContext): Promise<Outcome> {
  const endpoint = await done
  return 'refusal' in endpoint ? { complaint: endpointSentence(endpoint.refusal) } : shownEndpoint(endpoint, context)
}

async function test(id: string, context: CommandContext): Promise<Outcome> {
  const { allowPrivate, isDevelopment } = context.config
  const guardedFetch = createGuardedFetch({ allowPrivate, isDevelopment, totalMs: DELIVERY_MS })
  const done = await testEndpoint(id, { ...context, guardedFetch, actor: OPERATOR })
  if ('refusal' in done) return { complaint: endpointSentence(done.refusal) }
  const { attempt, enabled } = done
  const json = { ...attemptJson(attempt), enabled }
  const answered = attempt.status === undefined ? `No answer: ${attempt.fault}.` : `It answered ${attempt.status} in ${attempt.ms} ms.`
  return { json, text: enabled ? `${answered} It is enabled again.` : answered, failed: !hasArrived(attempt) }
}

async function remove(id: string, context: CommandContext): Promise<Outcome> {
  const done = await removeEndpoint(id, { ...context, actor: OPERATOR })
  if ('refusal' in done) return { complaint: endpointSentence(done.refusal) }
  return { json: { id, deleted: true }, text: 'Removed: nothing is delivered there any more.' }
}
