import type { Command } from 'commander'
import { productDetailsJson, readProductDetails } from '../../admin/index.ts'
import { type Product, productStore } from '../../products/index.ts'
import { addVerb, type CliContext } from '../command/cli-context.ts'
import { paragraphs } from '../command/layout.ts'
import { type CommandContext, withContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { productSentence } from '../sentences/product-sentences.ts'
import { productFields, uriHint } from './product-view.ts'

export interface ProductOptions {
  json?: boolean
  slug?: string
}

/** A command's work on one product that was found. */
type Action = (product: Product, context: CommandContext) => Promise<Outcome>

export const WHICH = "the product's slug"

/** A command about one product, named by argument or by option. */
export function addWhich(product: Command, name: string, help: { summary: string; example: string }): Command {
  return addVerb(product, name, help).argument('[product]', WHICH).option('--slug <slug>', WHICH)
}

export async function onProduct(slug: string | undefined, options: ProductOptions, cli: CliContext, work: Action): Promise<Outcome> {
  const [named, ...others] = [slug, options.slug].filter((name) => name !== undefined)
  if (named === undefined || others.length > 0) return { misuse: 'name one product by its slug: `portaria product show academy`' }
  return withContext(cli, async (context) => {
    const product = await findProduct(named, context)
    return product ? work(product, context) : { complaint: productSentence({ refusal: 'not_found' }) }
  })
}

/** By slug, or by id. */
async function findProduct(named: string, { storage }: CommandContext): Promise<Product | undefined> {
  const products = productStore(storage.db)
  return (await products.findBySlug(named)) ?? products.findById(named)
}

export async function showProduct(product: Product, context: CommandContext): Promise<Outcome> {
  const details = await readProductDetails(product, context)
  return { json: productDetailsJson(details), text: paragraphs(productFields(details, context), uriHint(details, context)) }
}
