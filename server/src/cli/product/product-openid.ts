import type { Command } from 'commander'
import { ID_TOKEN_ALGS, OPENID_KINDS, type OpenIdChange, type OpenIdSettings, PKCE, type Product } from '../../products/index.ts'
import { collect, oneOf } from '../command/input.ts'

export interface OpenIdOptions {
  openid?: OpenIdSettings['kind'] | 'off'
  pkce?: OpenIdSettings['pkce']
  idTokenAlg?: OpenIdSettings['idTokenAlg']
  addPostLogoutUri?: string[]
  removePostLogoutUri?: string[]
  addResource?: string[]
  removeResource?: string[]
  backchannelLogoutUri?: string
  clientDocuments?: 'on' | 'off'
}

/** The options of `product set` for OpenID Connect and back-channel logout. */
export function addOpenId(command: Command): Command {
  const asIs = collect((text: string) => text)
  return command
    .option(
      '--openid <kind>',
      'sign users in by OpenID Connect: web (with a server and a secret), browser or native; or off',
      oneOf([...OPENID_KINDS, 'off']),
    )
    .option('--pkce <rule>', 'required, or optional for an old client of the kind web', oneOf(PKCE))
    .option('--id-token-alg <alg>', 'RS256, which every client knows, or ES256', oneOf(ID_TOKEN_ALGS))
    .option('--add-post-logout-uri <uri>', 'an address to which a sign-out may lead; may be repeated', asIs)
    .option('--remove-post-logout-uri <uri>', 'may be repeated', asIs)
    .option('--add-resource <uri>', 'an API for which it may request access tokens; may be repeated', asIs)
    .option('--remove-resource <uri>', 'may be repeated', asIs)
    .option(
      '--client-documents <rule>',
      'on: clients that describe themselves sign in by this product (needs PORTARIA_EXPERIMENTS=cimd); or off',
      oneOf(['on', 'off'] as const),
    )
    .option('--backchannel-logout-uri <uri>', 'the address that is notified of ended sessions; or none')
}

/** The change of a product's OpenID Connect that the options ask for; `undefined` where they ask for none. */
export function openIdChange({ openid: before }: Product, options: OpenIdOptions): OpenIdChange | undefined {
  if (options.openid === 'off') return 'off'
  const lists = {
    postLogoutUris: changed(before?.postLogoutUris, options.addPostLogoutUri, options.removePostLogoutUri),
    resources: changed(before?.resources, options.addResource, options.removeResource),
  }
  const change: OpenIdChange = {
    ...(options.openid !== undefined && { kind: options.openid }),
    ...(options.pkce !== undefined && { pkce: options.pkce }),
    ...(options.idTokenAlg !== undefined && { idTokenAlg: options.idTokenAlg }),
    ...(options.clientDocuments !== undefined && { takesDocuments: options.clientDocuments === 'on' }),
    ...(lists.postLogoutUris && { postLogoutUris: lists.postLogoutUris }),
    ...(lists.resources && { resources: lists.resources }),
  }
  return Object.keys(change).length > 0 ? change : undefined
}

function changed(before: readonly string[] = [], add: string[] = [], remove: string[] = []): string[] | undefined {
  if (add.length + remove.length === 0) return undefined
  return [...new Set([...before.filter((one) => !remove.includes(one)), ...add])]
}
