import type { Command } from 'commander'
import { EVENT_TYPES, type EventType, PRODUCT_EVENT_TYPES } from '../../app-events/index.ts'
import { createEndpoint } from '../../event-delivery/index.ts'
import { addVerb, type CliContext, OPERATOR } from '../command/cli-context.ts'
import { collect, oneOf } from '../command/input.ts'
import { paragraphs } from '../command/layout.ts'
import type { CommandContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { endpointSentence } from '../sentences/endpoint-sentences.ts'
import { shownEndpoint } from './endpoint-view.ts'

export interface AddOptions {
  json?: boolean
  product?: string
  type?: EventType[]
  description?: string
}

export function addAdd(endpoint: Command, cli: CliContext): void {
  addVerb(endpoint, 'add', {
    summary: 'make an endpoint; its secret is shown this once',
    example: 'endpoint add https://academy.example.com/hooks/portaria --product academy',
  })
    .argument('<url>', 'https; in development http on a loopback host')
    .option('--product <slug>', "whose users' events it receives (default: every product's, for the operator)")
    .option(
      '--type <type>',
      `an event: ${EVENT_TYPES.join(', ')}; may be repeated (default: all that it may receive; endpoint.disabled is the operator's alone)`,
      collect(oneOf(EVENT_TYPES)),
    )
    .option('--description <text>', 'what it is for, as the list shows it')
    .action((url: string, options: AddOptions) => cli.onNewDatabase(options, (context) => add(url, options, context)))
}

async function add(url: string, { product, type: chosen, description = '' }: AddOptions, context: CommandContext): Promise<Outcome> {
  const deps = { ...context, actor: OPERATOR, isDevelopment: context.config.isDevelopment }
  const types = chosen ?? (product === undefined ? EVENT_TYPES : PRODUCT_EVENT_TYPES)
  const made = await createEndpoint({ productSlug: product, url, types, description }, deps)
  if ('refusal' in made) return { complaint: endpointSentence(made.refusal) }
  const shown = await shownEndpoint(made.endpoint, context)
  return {
    json: { ...shown.json, secret: made.secret },
    text: paragraphs(shown.text, `Secret, shown this once, keep it now:\n  ${made.secret}`),
  }
}
