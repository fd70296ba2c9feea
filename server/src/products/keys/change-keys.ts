import { type Actor, recordAudit } from '../../audit/index.ts'
import type { ChangeFeed } from '../../changes/index.ts'
import { keyHint, mintKey, type Now, newId, type Sealer, sha256Hex } from '../../kit/index.ts'
import type { Product } from '../product.ts'
import { apiKeyStore } from './api-key-store.ts'
import { webhookKeyStore } from './webhook-key-store.ts'

interface Deps {
  changes: ChangeFeed
  now: Now
  actor: Actor
}

/** Two webhook keys are valid during a rotation: the gateway's dashboard still has the old address. */
const LIVE_WEBHOOK_KEYS = 2

/** Makes one more API key; the others stay valid until they are revoked. Answers the key, shown this once. */
export async function addApiKey(product: Product, { changes, now, actor }: Deps): Promise<{ id: string; apiKey: string }> {
  const apiKey = mintKey('sk')
  const id = newId()
  const at = now()
  return changes.transaction(async (tx, announce) => {
    await apiKeyStore(tx).insertApiKey(product.id, { id, hash: sha256Hex(apiKey), hint: keyHint(apiKey) }, at)
    await recordAudit(tx, { actor, action: 'product.add_key', target: product.id, after: { key: keyHint(apiKey) } }, at)
    announce({ kind: 'product_changed', subject: product.id })
    return { id, apiKey }
  })
}

/** Ends one API key at once, on every node. */
export async function revokeApiKey(product: Product, id: string, { changes, now, actor }: Deps): Promise<'revoked' | 'not_found'> {
  const at = now()
  return changes.transaction(async (tx, announce) => {
    const keys = apiKeyStore(tx)
    if (!(await keys.revokeApiKey(product.id, id, at))) return 'not_found'
    const key = (await keys.listApiKeys(product.id)).find((one) => one.id === id)?.hint ?? id
    await recordAudit(tx, { actor, action: 'product.revoke_key', target: product.id, before: { key } }, at)
    announce({ kind: 'product_changed', subject: product.id })
    return 'revoked'
  })
}

/** Makes a new webhook key; the one before it stays valid until the next rotation. */
export async function rotateWebhookKey(product: Product, { changes, sealer, now, actor }: Deps & { sealer: Sealer }): Promise<string> {
  const key = mintKey('wk')
  const id = newId()
  const at = now()
  return changes.transaction(async (tx, announce) => {
    const keys = webhookKeyStore(tx)
    const sealed = sealer.seal(key, `webhook_keys.sealed.${id}`)
    await keys.insertWebhookKey(product.id, { id, hash: sha256Hex(key), hint: keyHint(key), sealed }, at)
    await keys.retireWebhookKeys(product.id, LIVE_WEBHOOK_KEYS, at)
    await recordAudit(tx, { actor, action: 'product.rotate_webhook_key', target: product.id, after: { key: keyHint(key) } }, at)
    announce({ kind: 'product_changed', subject: product.id })
    return key
  })
}
