import { Alert, Button, Stack, Typography } from '@mui/material'
import { useState } from 'react'
import { useMay } from '../../console-context.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { Section } from '../../kit/show/section.tsx'
import { labelOf } from '../../payments/label-of.ts'
import { paymentTexts } from '../../payments/payment-texts.ts'
import { type Gateway, type Method, methods, type PaymentMethod, type ProductDetails } from '../product.ts'
import { useProductChange } from '../use-product-change.ts'
import { type Chosen, MatrixTable } from './matrix-table.tsx'
import { gatewayTexts } from './texts.ts'

/** The unsaved choices, with the version that was shown when they began. */
interface Draft {
  chosen: Chosen
  seen: string | undefined
}

/** A table of gateways and payment methods: which gateway takes which method. */
export function MatrixSection({ product }: { product: ProductDetails }) {
  const texts = useTexts(gatewayTexts)
  const mayChange = useMay('products:write')
  const [draft, setDraft] = useState<Draft>()
  const { change, isBusy, fault } = useProductChange(product)
  const stored = chosenOf(product.payment_methods)
  const chosen = draft?.chosen ?? stored
  const choose = (method: Method, gateway: Gateway) =>
    setDraft({ chosen: { ...chosen, [method]: gateway }, seen: draft?.seen ?? product._version })
  const save = async () => {
    const entries = methods.flatMap((method) => (chosen[method] === '' ? [] : [{ method, gateway: chosen[method] }]))
    const isDone = await change({ payment_methods: entries }, draft?.seen)
    // After a conflict the user has seen the present state, and may save over it.
    setDraft(isDone ? undefined : draft && { ...draft, seen: undefined })
  }
  return (
    <Section title={texts.matrix}>
      <Typography variant="body2" color="textSecondary" sx={{ mb: 1 }}>
        {texts.matrixAbout}
      </Typography>
      <MatrixTable chosen={chosen} gateways={columnsOf(product)} {...(mayChange && { onChoose: choose })} />
      <Missing chosen={chosen} product={product} />
      {fault !== undefined && draft && (
        <Alert severity="error" sx={{ mt: 1 }}>
          {fault} <Stored chosen={stored} />
        </Alert>
      )}
      {draft && (
        <Stack direction="row" spacing={1} sx={{ mt: 1.5 }}>
          <Button variant="contained" disabled={isBusy} onClick={() => void save()}>
            {texts.save}
          </Button>
          <Button disabled={isBusy} onClick={() => setDraft(undefined)}>
            {texts.undo}
          </Button>
        </Stack>
      )}
    </Section>
  )
}

function Stored({ chosen }: { chosen: Chosen }) {
  const texts = useTexts(gatewayTexts)
  const { sources, methods: names } = useTexts(paymentTexts)
  const labels = methods.map((method) => texts.cell(names[method], chosen[method] === '' ? texts.nobody : labelOf(sources, chosen[method])))
  return texts.now(labels.join(', '))
}

function Missing({ chosen, product: { gateways } }: { chosen: Chosen; product: ProductDetails }) {
  const texts = useTexts(gatewayTexts)
  const { sources } = useTexts(paymentTexts)
  const used = [...new Set(Object.values(chosen))].filter((name) => name !== '')
  const without = used.filter((name) => !gateways.some(({ gateway, credentials }) => gateway === name && credentials !== null))
  if (without.length === 0) return undefined
  return (
    <Alert severity="warning" sx={{ mt: 1 }}>
      {texts.without(without.map((name) => labelOf(sources, name)).join(', '))}
    </Alert>
  )
}

function chosenOf(entries: readonly PaymentMethod[]): Chosen {
  const of = (method: Method) => entries.find((entry) => entry.method === method)?.gateway ?? ''
  return { pix: of('pix'), boleto: of('boleto'), card: of('card') }
}

/** The supported gateways, and a chosen one that is no longer supported. */
function columnsOf({ gateways, payment_methods }: ProductDetails): Gateway[] {
  return [...new Set([...gateways.map(({ gateway }) => gateway), ...payment_methods.map(({ gateway }) => gateway)])]
}
