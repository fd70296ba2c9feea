import { type GatewayState, gatewayStateJson, listGatewayStates } from '../../admin/index.ts'
import { countDeadJobs } from '../../outbox/index.ts'
import type { Gateway } from '../../products/index.ts'
import { paragraphs, type Text, table } from '../command/layout.ts'
import type { LocalTime } from '../command/local-time.ts'
import type { CommandContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { offSentence } from './gateway-input.ts'

/** `portaria gateway status` */
export async function gatewayStatus({ storage, gateways, localTime }: CommandContext): Promise<Outcome> {
  const states = await listGatewayStates(storage)
  const dead = await countDeadJobs(storage.db, ['fetch_payment', 'process_pending', 'run_notifications'])
  const json = { gateways: states.map(gatewayStateJson), dead_letters: dead }
  if (states.length === 0)
    return {
      json,
      text: 'No gateway is connected: `portaria product gateway-credentials --slug SLUG` shows the address to register at each.',
    }
  const deadLetters =
    dead === 0
      ? undefined
      : `Dead letters, questions to gateways and work on what waited that were given up: ${dead}. See \`portaria outbox list --dead\`.`
  return {
    json,
    text: paragraphs(stateTable(states, localTime), ...states.map((state) => warningOf(state, gateways, localTime)), deadLetters),
  }
}

function warningOf(state: GatewayState, gateways: readonly Gateway[], localTime: LocalTime): string | undefined {
  return gateways.includes(state.gateway) ? verificationWarning(state, localTime) : offSentence(state.gateway)
}

/** The advice about failed verifications; `undefined` while the last delivery was verified. */
function verificationWarning({ product, gateway, health, credentialsSince = 0 }: GatewayState, localTime: LocalTime): string | undefined {
  const since = health?.failingSince
  if (since === undefined) return undefined
  const isFixed = credentialsSince > (health?.lastVerificationFailureAt ?? 0)
  const give = `portaria product gateway-credentials --slug ${product} --gateway ${gateway} --secrets-stdin`
  return [
    `${gateway} of ${product}: no delivery has had the valid signature or token since ${localTime(since)}.`,
    consequences[gateway],
    isFixed
      ? 'Other credentials were given since; nothing has come after them.'
      : `Give the webhook_secret that it has there, and the access_token:  ${give}`,
    ...(gateway === 'asaas' ? ['Then see in the panel of Asaas whether the queue is paused, and resume it.'] : []),
    `What was missed:  portaria gateway reconcile --product ${product} --gateway ${gateway} --since ${localTime(since).slice(0, 10)}`,
  ].join('\n  ')
}

const consequences = {
  stripe: 'Stripe sends each event again for three days, then no more.',
  mercadopago: 'Mercado Pago sends each notification again, at longer and longer intervals.',
  asaas:
    'After 15 failures Asaas pauses the queue: nothing more comes until somebody resumes it there, and what is older than 14 days is dropped.',
  pagarme: 'Pagar.me sends each delivery again as often as you have set there, then no more.',
} as const satisfies Record<Gateway, string>

function stateTable(states: readonly GatewayState[], localTime: LocalTime): Text {
  return table(
    [
      'product',
      'gateway',
      'credentials',
      'last delivery',
      'failed verifications',
      'failing since',
      'pending',
      'awaiting gateway',
      'failed',
    ],
    states.map(({ product, gateway, credentials = 'none', health, open }) => [
      product,
      gateway,
      credentials,
      localTime(health?.lastDeliveryAt) ?? 'never',
      String(health?.verificationFailures ?? 0),
      localTime(health?.failingSince) ?? '',
      String(open.unresolved),
      String(open.awaiting_gateway),
      String(open.failed),
    ]),
  )
}
