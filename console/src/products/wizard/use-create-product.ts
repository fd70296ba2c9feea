import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { AdminFault } from '../../api/admin-fault.ts'
import { adminPath } from '../../api/admin-http.ts'
import { useCallAdmin } from '../../console-context.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { kitTexts } from '../../kit/texts.ts'
import type { NewProduct } from '../product.ts'
import { type Draft, productBody } from './draft.ts'

/** Sentences of the dictionaries by field, for what was refused. */
export type Wrong = Readonly<Record<string, string>>

/** Registers a product. `app_refused`: something of the first step. */
export function useCreateProduct() {
  const { failed } = useTexts(kitTexts)
  const callAdmin = useCallAdmin()
  const translate = useTranslate()
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const [wrong, setWrong] = useState<Wrong>({})
  const create = async (draft: Draft): Promise<NewProduct | 'app_refused' | 'refused'> => {
    setBusy(true)
    setFault(undefined)
    setWrong({})
    try {
      return await callAdmin<NewProduct>({ path: adminPath('products'), method: 'POST', body: productBody(draft) })
    } catch (error) {
      const errors = error instanceof AdminFault ? error.body.errors : {}
      setWrong(errors)
      if ('slug' in errors || 'name' in errors) return 'app_refused'
      setFault(error instanceof AdminFault ? translate(error.message) : failed)
      return 'refused'
    } finally {
      setBusy(false)
    }
  }
  return { create, isBusy, fault, wrong }
}
