import { useState } from 'react'
import { useTranslate } from 'react-admin'
import type { ProductDetails } from '../product.ts'
import { type ProductChange, useProductChange } from '../use-product-change.ts'

/** The text of what a form sends. `filled`: before anything was typed; `now`: with what is typed. */
export interface Typed {
  filled: string
  now: string
}

/** The saving of a form that is filled anew when what it shows has changed. */
export interface FormSaving extends ProductChange {
  /** Takes what the form would send, whenever that changes. */
  onTyped: (typed: Typed) => void
}

/**
 * When the form of a product's field is filled anew. It is not where its own save has changed the field and something was typed
 * meanwhile. Where another administrator has, and something was typed, the form says so.
 */
export function useFilling(product: ProductDetails, field: 'openid' | 'forward_auth'): { key: number; saving: FormSaving } {
  const translate = useTranslate()
  const saving = useProductChange(product)
  const stored = JSON.stringify(product[field])
  const [typed, setTyped] = useState<Typed>({ filled: '', now: '' })
  const [sent, setSent] = useState<string>()
  const [filling, setFilling] = useState({ key: 0, stored, isLost: false })
  if (stored !== filling.stored) {
    const isOwn = saving.answer !== undefined && stored === JSON.stringify(saving.answer[field])
    const isTyped = typed.now !== (isOwn ? sent : typed.filled)
    setFilling(({ key }) => ({ key: isOwn && isTyped ? key : key + 1, stored, isLost: !isOwn && isTyped }))
  }
  const change: ProductChange['change'] = (fields, seen) => {
    setSent(typed.now)
    setFilling((before) => ({ ...before, isLost: false }))
    return saving.change(fields, seen)
  }
  const fault = saving.fault ?? (filling.isLost ? translate('refusal.stale') : undefined)
  return { key: filling.key, saving: { ...saving, change, fault, onTyped: setTyped } }
}
