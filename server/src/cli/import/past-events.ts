import { createReadStream } from 'node:fs'
import { type HotmartPlan, listPastEvents, type PastEvent, pastEventOf, readPurchasesFile } from '../../admin/index.ts'
import { createMerchantAccounts } from '../../gateways/index.ts'
import { createGuardedFetch } from '../../guarded-fetch/index.ts'
import { productStore } from '../../products/index.ts'
import { reasonOf } from '../command/faults.ts'
import { findFile } from '../command/find-file.ts'
import { visible } from '../command/layout.ts'
import type { CommandContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { productSentence } from '../sentences/product-sentences.ts'

/** The events of a file or a gateway, and the lines that are none. */
export interface Past {
  source: string
  events: PastEvent[]
  refused: Array<{ line: number; why: string }>
}

export async function readPastFile(
  file: string,
  { plan = [] }: { plan?: Array<[string, HotmartPlan]> },
  { storage, now }: CommandContext,
): Promise<Past | Outcome> {
  const found = await findFile(file)
  if ('why' in found) return { misuse: found.why }
  const read = await readPurchasesFile(() => createReadStream(file), { plans: new Map(plan), db: storage.db, now: now() })
  if (!('lines' in read)) return { misuse: visible(`${file}: ${read.refused}`) }
  return { source: read.from ?? 'file', events: read.lines.map(pastEventOf), refused: read.refused }
}

export async function readGateway(slug: string, context: CommandContext): Promise<Past | Outcome> {
  const product = await productStore(context.storage.db).findBySlug(slug)
  if (!product) return { complaint: productSentence({ refusal: 'not_found' }) }
  const account = await createMerchantAccounts(context).findOf('stripe', product.id)
  if (!account)
    return {
      complaint: `${slug} has no credentials for stripe: give them with \`portaria product gateway-credentials --slug ${slug} --gateway stripe --secrets-stdin\``,
    }
  const { allowPrivate, isDevelopment } = context.config
  try {
    const guardedFetch = createGuardedFetch({ allowPrivate, isDevelopment })
    const events = (await listPastEvents(account, { guardedFetch, now: context.now })) ?? []
    return { source: 'stripe', events, refused: [] }
  } catch (fault) {
    return { complaint: `stripe: ${reasonOf(fault)}. Nothing is written; run this again when it is fixed` }
  }
}
