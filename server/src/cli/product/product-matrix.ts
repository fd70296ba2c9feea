import type { Command } from 'commander'
import { changeProduct, METHODS, type PaymentMethod, type Product, parsePaymentMethod, paymentMethodStore } from '../../products/index.ts'
import { type CliContext, OPERATOR } from '../command/cli-context.ts'
import { collect, oneOf } from '../command/input.ts'
import { paragraphs, table } from '../command/layout.ts'
import type { CommandContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { withGateway } from '../gateway/gateway-input.ts'
import { productSentence } from '../sentences/product-sentences.ts'
import { addWhich, onProduct, type ProductOptions } from './on-product.ts'

interface MatrixOptions extends ProductOptions {
  set?: PaymentMethod[]
  unset?: Array<PaymentMethod['method']>
}

/** `gateway-matrix`: the gateway for each payment method. */
export function addMatrix(product: Command, cli: CliContext): void {
  const entry = withGateway(parsePaymentMethod, `METHOD=GATEWAY, with ${METHODS.join(', ')} and ${cli.gateways.join(', ')}`, cli)
  const example = 'product gateway-matrix --slug academy --set pix=asaas --set card=stripe'
  addWhich(product, 'gateway-matrix', { summary: 'show or change which gateway takes which payments', example })
    .option('--set <method=gateway>', 'may be repeated; other methods stay as they are', collect(entry))
    .option('--unset <method>', 'no longer offer a method; may be repeated', collect(oneOf(METHODS)))
    .action((slug: string | undefined, options: MatrixOptions) =>
      cli.print(
        options,
        onProduct(slug, options, cli, (product, context) => matrix(product, options, context)),
      ),
    )
}

async function matrix(product: Product, { set = [], unset = [] }: MatrixOptions, context: CommandContext): Promise<Outcome> {
  if (product.checkout === 'external') return { complaint: productSentence({ refusal: 'matrix_needs_integrated' }) }
  const current = await paymentMethodStore(context.storage.db).listPaymentMethods(product.id)
  if (set.length + unset.length > 0) {
    const wanted = new Map([...current, ...set].map(({ method, gateway }) => [method, gateway]))
    for (const method of unset) wanted.delete(method)
    const paymentMethods = [...wanted].map(([method, gateway]) => ({ method, gateway }))
    const changed = await changeProduct(product.slug, { paymentMethods }, { ...context, actor: OPERATOR })
    if ('refusal' in changed) return { complaint: productSentence(changed) }
  }
  const methods = await paymentMethodStore(context.storage.db).listPaymentMethods(product.id)
  const rows = METHODS.map((method) => [method, methods.find((one) => one.method === method)?.gateway ?? 'not offered'])
  const hint = methods.length === 0 ? `Set one:  portaria product gateway-matrix ${product.slug} --set pix=asaas` : undefined
  return { json: methods, text: paragraphs(table(['method', 'gateway'], rows), hint) }
}
