import type { ConfigurationFault } from '../../admin/index.ts'
import { appearanceReason } from '../appearance/appearance-view.ts'
import { endpointSentence } from '../sentences/endpoint-sentences.ts'
import { forwardAuthSentence } from '../sentences/forward-auth-sentences.ts'
import { planSentence } from '../sentences/plan-sentences.ts'
import { productSentence } from '../sentences/product-sentences.ts'
import { providerSentence } from '../sentences/provider-sentences.ts'

/** A fault of a file of settings in one sentence, at its setting. `absent`: why a secret can't be had. */
export function configurationSentence(fault: ConfigurationFault, absent: ReadonlyMap<string, string>): string {
  return `${fault.path}: ${sentenceOf(fault, absent)}`
}

function sentenceOf(fault: ConfigurationFault, absent: ReadonlyMap<string, string>): string {
  switch (fault.refusal) {
    case 'needed':
      return 'something new needs it'
    case 'stays':
      return 'what is there keeps its own: with another one it would be something else'
    case 'secret_absent':
      return absent.get(fault.path) ?? 'the secret can’t be had'
    case 'image_absent':
      return absent.get(fault.path) ?? 'the image can’t be had'
    case 'managed_by_another':
      return `it is managed by ${fault.managedBy}: change it there, or take it over with --take-over`
    case 'gateway_off':
      return `the gateway ${fault.gateway} is an experiment that is off: set PORTARIA_EXPERIMENTS`
    case 'unknown_time_zone':
      return 'expects a name of the tz database, like America/Sao_Paulo'
    case 'appearance_refused':
      return appearanceReason(fault.why)
    case 'product_refused':
      return productSentence(fault.why)
    case 'forward_auth_refused':
      return forwardAuthSentence(fault.why)
    case 'plan_refused':
      return planSentence(fault.why)
    case 'provider_refused':
      return providerSentence(fault.why)
    case 'endpoint_refused':
      return endpointSentence(fault.why.refusal)
  }
}
