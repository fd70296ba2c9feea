import type { Command } from 'commander'
import { EVENT_TYPES } from '../../app-events/index.ts'
import { changeEndpoint } from '../../event-delivery/index.ts'
import { addVerb, type CliContext, OPERATOR } from '../command/cli-context.ts'
import { collect, oneOf } from '../command/input.ts'
import { withContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { endpointSentence } from '../sentences/endpoint-sentences.ts'
import type { AddOptions } from './endpoint-add.ts'
import { shownEndpoint, WHICH } from './endpoint-view.ts'

interface SetOptions extends Omit<AddOptions, 'product'> {
  url?: string
}

export function addSet(endpoint: Command, cli: CliContext): void {
  addVerb(endpoint, 'set', {
    summary: 'change an endpoint; what is not named stays, and so does its secret',
    example: 'endpoint set 0199c2b4-… --url https://academy.example.com/hooks/new',
  })
    .argument('<id>', WHICH)
    .option('--url <url>', 'https; in development http on a loopback host')
    .option('--type <type>', 'all its events, in place of those before; may be repeated', collect(oneOf(EVENT_TYPES)))
    .option('--description <text>', 'what it is for; empty: none')
    .action((id: string, options: SetOptions) => cli.print(options, set(id, options, cli)))
}

async function set(id: string, { url, type: types, description }: SetOptions, cli: CliContext): Promise<Outcome> {
  if (url === undefined && !types && description === undefined) return { misuse: 'name what is to change: --url, --type or --description' }
  const wanted = { ...(url !== undefined && { url }), ...(types && { types }), ...(description !== undefined && { description }) }
  return withContext(cli, async (context) => {
    const deps = { ...context, actor: OPERATOR, isDevelopment: context.config.isDevelopment }
    const changed = await changeEndpoint(id, wanted, deps)
    return 'refusal' in changed ? { complaint: endpointSentence(changed.refusal) } : shownEndpoint(changed, context)
  })
}
