import type { Command } from 'commander'
import { addApiKey, type Product, revokeApiKey, rotateWebhookKey } from '../../products/index.ts'
import { addVerb, type CliContext, OPERATOR } from '../command/cli-context.ts'
import { fields, paragraphs } from '../command/layout.ts'
import type { CommandContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { addWhich, onProduct, type ProductOptions, WHICH } from './on-product.ts'

export function addKeys(product: Command, cli: CliContext): void {
  addWhich(product, 'add-key', { summary: 'make one more API key; the others stay valid', example: 'product add-key academy' }).action(
    (slug: string | undefined, options: ProductOptions) => cli.print(options, onProduct(slug, options, cli, addKey)),
  )
  addVerb(product, 'revoke-key', { summary: 'end one API key at once', example: 'product revoke-key academy 0199c2…' })
    .argument('[product]', WHICH)
    .argument('[key]', "the key's id, as `product show` lists it")
    .option('--slug <slug>', WHICH)
    .option('--key <id>', "the key's id")
    .action((first: string | undefined, second: string | undefined, options: ProductOptions & { key?: string }) =>
      cli.print(
        options,
        revokeKey(
          [first, second].filter((argument) => argument !== undefined),
          options,
          cli,
        ),
      ),
    )
  addWhich(product, 'rotate-webhook-key', {
    summary: 'make a new webhook key; the one before stays valid until the next rotation',
    example: 'product rotate-webhook-key shop',
  }).action((slug: string | undefined, options: ProductOptions) => cli.print(options, onProduct(slug, options, cli, rotateKey)))
}

async function addKey(product: Product, context: CommandContext): Promise<Outcome> {
  const { id, apiKey } = await addApiKey(product, { ...context, actor: OPERATOR })
  return { json: { id, product_id: product.id, api_key: apiKey }, text: paragraphs(fields([['id', id]]), shownOnce(apiKey)) }
}

async function revokeKey(args: string[], { slug, key, ...options }: ProductOptions & { key?: string }, cli: CliContext): Promise<Outcome> {
  const which = slug ?? args.shift()
  const id = key ?? args.shift()
  if (id === undefined || args.length > 0)
    return { misuse: 'name the product and the key: `portaria product revoke-key academy KEY-ID`; `product show` lists the ids' }
  return onProduct(which, options, cli, async (product, context) => {
    const done = await revokeApiKey(product, id, { ...context, actor: OPERATOR })
    if (done === 'not_found')
      return { complaint: `this product has no live API key with that id: see \`portaria product show ${product.slug}\`` }
    return { json: { id, product_id: product.id, revoked: true }, text: 'Revoked: it is refused everywhere within 2 seconds.' }
  })
}

async function rotateKey(product: Product, context: CommandContext): Promise<Outcome> {
  const key = await rotateWebhookKey(product, { ...context, actor: OPERATOR })
  const next = "The key before it stays valid until the next rotation. Put this address into each gateway's dashboard:"
  return {
    json: { product_id: product.id, webhook_key: key },
    text: paragraphs(next, `  ${context.config.baseUrl}/api/webhooks/<gateway>/${key}`),
  }
}

export function shownOnce(apiKey: string): string {
  return `API key, shown this once, keep it now:\n  ${apiKey}`
}
