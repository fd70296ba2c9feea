import type { AppearanceRefusal } from '../../appearance/index.ts'
import type { EndpointRefusal } from '../../event-delivery/index.ts'
import type { ForwardAuthRefusal } from '../../forward-auth/index.ts'
import type { ProviderRefusal } from '../../identity-providers/index.ts'
import type { Gateway, ProductRefusal } from '../../products/index.ts'
import { parseZone } from '../../reports/index.ts'
import type { PlanRefusal } from '../../subscriptions/index.ts'
import type { Current } from './current.ts'
import { hashOfFile, listImagePlaces } from './form/appearance.ts'
import { type Configuration, type SecretPlace, type Secrets, USUAL_MANAGER } from './form/configuration.ts'
import { listDeclared } from './listed.ts'

/** A reason why a file can't be applied. `path` is the setting, as in `products.academy.name`. */
export type ConfigurationFault = { path: string } & (
  | { refusal: 'needed' | 'stays' | 'secret_absent' | 'image_absent' }
  | { refusal: 'managed_by_another'; managedBy: string }
  | { refusal: 'gateway_off'; gateway: string }
  | { refusal: 'unknown_time_zone' }
  | { refusal: 'appearance_refused'; why: AppearanceRefusal }
  | { refusal: 'product_refused'; why: ProductRefusal }
  | { refusal: 'forward_auth_refused'; why: ForwardAuthRefusal }
  | { refusal: 'plan_refused'; why: PlanRefusal }
  | { refusal: 'provider_refused'; why: ProviderRefusal }
  | { refusal: 'endpoint_refused'; why: EndpointRefusal }
)

/** The fields that something new needs. */
const NEEDED = {
  appearance: [],
  reports: [],
  product: ['audience', 'checkout'],
  plan: ['name', 'price'],
  identity_provider: ['issuer', 'client_id', 'client_secret'],
  endpoint: ['url', 'types'],
} as const
/** Another one of these would make it something else: tokens, sessions and subjects were made for it. */
const STAYS = {
  appearance: [],
  reports: [],
  product: ['audience'],
  plan: [],
  identity_provider: ['kind', 'issuer', 'client_id'],
  endpoint: [],
} as const

interface Rules {
  gateways: readonly Gateway[]
  /** Whether what another manager has declared may be taken from them. */
  takesOver: boolean
  secrets: Secrets
  /** The images beside the file, by their hashes. */
  images: ReadonlyMap<string, unknown>
}

/** All faults that can be seen before anything is changed. */
export function examine(
  configuration: Configuration,
  current: Current,
  { gateways, takesOver, secrets, images }: Rules,
): ConfigurationFault[] {
  const manager = configuration.managed_by ?? USUAL_MANAGER
  const isThere = (hash: string | undefined) => hash !== undefined && (images.has(hash) || current.images.has(hash))
  const absent = listImagePlaces(configuration).filter(([, { file }]) => !isThere(hashOfFile(file)))
  const ofImages = absent.map(([path]): ConfigurationFault => ({ path, refusal: 'image_absent' }))
  const ofRest = listDeclared(configuration, current).flatMap(({ path, kind, settings, is }): ConfigurationFault[] => {
    const managedBy = is?.managedBy
    if (managedBy !== undefined && managedBy !== manager && !takesOver) return [{ path, refusal: 'managed_by_another', managedBy }]
    const before = settingsAt(current.configuration, path)
    const needed = is ? [] : NEEDED[kind].filter((field) => settings[field] === undefined)
    const other = is ? STAYS[kind].filter((field) => settings[field] !== undefined && settings[field] !== before[field]) : []
    return [
      ...needed.map((field) => ({ path: `${path}.${field}`, refusal: 'needed' as const })),
      ...other.map((field) => ({ path: `${path}.${field}`, refusal: 'stays' as const })),
      ...secretFields(settings).flatMap((field) =>
        secrets.has(`${path}.${field}`) ? [] : [{ path: `${path}.${field}`, refusal: 'secret_absent' as const }],
      ),
      ...gatewaysOf(settings)
        .filter((gateway) => !gateways.some((one) => one === gateway))
        .map((gateway) => ({ path, refusal: 'gateway_off' as const, gateway })),
    ]
  })
  return [...ofImages, ...ofRest, ...faultsOfZone(configuration)]
}

function faultsOfZone({ reports }: Configuration): ConfigurationFault[] {
  const zone = reports?.time_zone
  return zone === undefined || parseZone(zone) !== undefined ? [] : [{ path: 'reports.time_zone', refusal: 'unknown_time_zone' }]
}

/** The fields of something that are secrets, where it has any. */
export function secretFields(settings: Readonly<Record<string, unknown>>): Array<'client_secret' | 'secret'> {
  return (['client_secret', 'secret'] as const).filter((field) => settings[field] !== undefined)
}

/** Where the secrets of a file stand, by their fields' paths. */
export function secretPlaces(configuration: Configuration): Map<string, SecretPlace> {
  const places = new Map<string, SecretPlace>()
  for (const { path, settings } of listDeclared(configuration, { objects: new Map() }))
    for (const field of secretFields(settings)) places.set(`${path}.${field}`, settings[field] as SecretPlace)
  return places
}

/** The settings at a path; an empty object where there are none. */
function settingsAt(configuration: Configuration, path: string): Readonly<Record<string, unknown>> {
  let at: unknown = configuration
  for (const step of path.split('.'))
    at = typeof at === 'object' && at !== null && Object.hasOwn(at, step) ? (at as Record<string, unknown>)[step] : undefined
  return typeof at === 'object' && at !== null ? { ...at } : {}
}

function gatewaysOf({ payment_methods: methods, gateway_refs: refs }: Readonly<Record<string, unknown>>): string[] {
  const names = [
    ...Object.values((methods as Record<string, string> | undefined) ?? {}),
    ...Object.keys((refs as object | undefined) ?? {}),
  ]
  return [...new Set(names)]
}
