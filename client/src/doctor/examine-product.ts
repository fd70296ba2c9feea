import { asObject, type Json, textAt } from '../http/json.ts'
import type { Settings } from '../settings.ts'
import { bad, type Finding, good } from './finding.ts'
import type { Probe } from './probe.ts'

/** Portaria's registration of the product whose API key this app has. */
export interface OwnProduct {
  findings: Finding[]
  /** Whether this app's callback is registered as trusted, so that it gets the family's session at any address; `unknown` without a key. */
  trustsCallback: 'yes' | 'no' | 'unknown'
  /** How the product speaks OpenID Connect; `undefined` where it does not, or the service does not say. */
  openIdKind: string | undefined
  /** The address that is notified of sign-outs; `null`: none. `undefined` where the service does not say. */
  logoutUri: string | null | undefined
}

/** Asks which product the API key belongs to. */
export async function examineProduct(probe: Probe, settings: Settings): Promise<OwnProduct> {
  const unknown = (finding: Finding): OwnProduct => ({
    findings: [finding],
    trustsCallback: 'unknown',
    openIdKind: undefined,
    logoutUri: undefined,
  })
  if (settings.apiKey === undefined) return unknown(good('api key', 'none, and an internal app needs none; checkAccess would'))
  const { status, body } = await probe.getAsProduct('/api/products/self')
  if (status === 401) {
    const fix = 'Is it the sk_… of this product? The operator makes another: npx portaria product add-key --slug YOUR-PRODUCT'
    return unknown(bad('api key', 'Portaria does not know it, or it was revoked', fix))
  }
  const slug = textAt(body, 'slug')
  if (status !== 200 || slug === null)
    return unknown(bad('api key', `GET /api/products/self answers ${status}`, 'A proxy must pass on the Authorization header.'))
  const trustsCallback = trustedUris(body).includes(`${settings.appOrigin}${settings.authPath}/callback`) ? 'yes' : 'no'
  const findings = [good('api key', `it is that of the product ${slug}`), ...comparePublishable(body, slug, settings)]
  const knows = body !== undefined && 'backchannel_logout_uri' in body
  return {
    findings,
    trustsCallback,
    openIdKind: textAt(body, 'openid_kind') ?? undefined,
    logoutUri: knows ? textAt(body, 'backchannel_logout_uri') : undefined,
  }
}

function comparePublishable(product: Json | undefined, slug: string, { publishableKey }: Settings): Finding[] {
  const show = `npx portaria product show --slug ${slug}`
  if (publishableKey !== undefined && publishableKey !== textAt(product, 'publishable_key'))
    return [bad('both keys', `the publishable key is not that of ${slug}, whose API key this is`, `Take both from one product: ${show}`)]
  if (publishableKey === undefined && textAt(product, 'audience') === 'external')
    return [bad('both keys', `${slug} is an external product, and PORTARIA_PUBLISHABLE_KEY is missing`, `Its pk_… is shown by: ${show}`)]
  return []
}

function trustedUris(product: Json | undefined): string[] {
  const all: unknown[] = Array.isArray(product?.redirect_uris) ? product.redirect_uris : []
  return all.flatMap((one) => {
    const entry = asObject(one)
    return entry?.trusted === true ? (textAt(entry, 'uri') ?? []) : []
  })
}
