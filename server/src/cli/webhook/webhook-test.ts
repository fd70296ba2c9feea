import type { Command } from 'commander'
import { createOwnCalls, testWebhook, VARIANTS, type Variant } from '../../admin/index.ts'
import type { AppContext } from '../../context.ts'
import { PURCHASE_EVENTS, type PurchaseEvent } from '../../purchases/index.ts'
import { addVerb, type CliContext, OPERATOR } from '../command/cli-context.ts'
import { oneOf, parsedBy } from '../command/input.ts'
import { paragraphs, table } from '../command/layout.ts'
import type { Outcome } from '../command/output.ts'
import { webhookTestSentence } from '../sentences/webhook-test-sentences.ts'

interface Options {
  json?: boolean
  event?: PurchaseEvent
  variant?: Variant
  product?: string
  email?: string
  url?: string
}

export function addTest(webhook: Command, cli: CliContext): void {
  addVerb(webhook, 'test', {
    summary: 'send a test notification to the running service, and look at what has become of it; grants nothing',
    example: 'webhook test --variant B --url https://sso.example.com',
  })
    .option('--event <event>', `${PURCHASE_EVENTS.join(', ')} (default: that of the variant)`, oneOf(PURCHASE_EVENTS))
    .option('--variant <variant>', 'the form of the notification: A or B (default: A)', oneOf(VARIANTS))
    .option('--product <slug>', 'the product of the test purchase')
    .option('--email <address>', 'the buyer of the test purchase (default: an address that belongs to nobody)')
    .option(
      '--url <url>',
      'where the service is called (default: PORTARIA_URL)',
      parsedBy(parseUrl, 'an address, as in https://sso.example.com'),
    )
    .action((options: Options) => cli.onDatabase(options, (context) => test(options, context)))
}

async function test({ event, variant, product, email, url }: Options, context: AppContext): Promise<Outcome> {
  const { baseUrl, webhookSecrets: secrets } = context.config
  const deps = { ...context, secrets, url: url ?? baseUrl, guardedFetch: createOwnCalls(), actor: OPERATOR }
  const tested = await testWebhook({ event, variant, product, email }, deps)
  if ('refusal' in tested) {
    const sentence = webhookTestSentence(tested)
    return tested.refusal === 'event_of_other_variant' ? { misuse: sentence } : { complaint: sentence }
  }
  const { ok, steps } = tested
  const rows = steps.map(({ step, ok: isWell, detail }) => [isWell ? 'ok' : 'FAIL', step, detail])
  const verdict = ok ? 'Purchase notifications arrive, and a test grants nothing.' : 'Fix what is marked FAIL, then test again.'
  const json = { ok, steps: steps.map(({ step, ok: isWell, detail }) => ({ step, ok: isWell, detail })) }
  return { json, text: paragraphs(table(['result', 'step', 'detail'], rows), verdict), failed: !ok }
}

/** Without a slash at its end. It may have a path, where a proxy puts the service below one. */
function parseUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '') return undefined
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}
