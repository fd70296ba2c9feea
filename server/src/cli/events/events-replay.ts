import type { Command } from 'commander'
import { replayOne, replayToEndpoint } from '../../event-delivery/index.ts'
import { addVerb, type CliContext, OPERATOR } from '../command/cli-context.ts'
import { withContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { endpointSentence } from '../sentences/endpoint-sentences.ts'
import { NO_SUCH_EVENT } from './events-show.ts'

interface ReplayOptions {
  json?: boolean
  endpoint?: string
  failed?: boolean
  since?: string
}

export function addReplay(events: Command, cli: CliContext): void {
  addVerb(events, 'replay', {
    summary: 'deliver again: one event, or what an endpoint has missed',
    example: 'events replay --endpoint 0199c2b4-… --since 2026-11-20T00:00:00Z',
  })
    .argument('[id]', 'its `webhook-id`')
    .option('--endpoint <id>', 'to this endpoint; without an event: what it has missed')
    .option('--failed', 'with --endpoint alone: everything that has failed')
    .option('--since <time>', 'with --endpoint alone: everything since then (ISO 8601)')
    .action((id: string | undefined, options: ReplayOptions) => cli.print(options, replay(id, options, cli)))
}

async function replay(id: string | undefined, { endpoint, failed, since }: ReplayOptions, cli: CliContext): Promise<Outcome> {
  const at = since === undefined ? undefined : Date.parse(since)
  if (Number.isNaN(at)) return { misuse: '--since expects a time like 2026-11-20T00:00:00Z' }
  if (id !== undefined) {
    if (failed || at !== undefined) return { misuse: 'name an event, or an endpoint with --failed or --since' }
    return withContext(cli, async (context) => {
      const done = await replayOne(id, endpoint, { ...context, actor: OPERATOR })
      return 'refusal' in done ? { complaint: NO_SUCH_EVENT } : replayed(done)
    })
  }
  if (endpoint === undefined || (failed === true) === (at !== undefined))
    return { misuse: 'name an event, or an endpoint with either --failed or --since' }
  return withContext(cli, async (context) => {
    const done = await replayToEndpoint(endpoint, at === undefined ? 'failed' : { since: at }, { ...context, actor: OPERATOR })
    return 'refusal' in done ? { complaint: endpointSentence(done.refusal) } : replayed(done)
  })
}

function replayed(done: { replayed: number }): Outcome {
  return { json: done, text: `Due again: ${done.replayed}. The running service delivers them, with the same ids.` }
}
