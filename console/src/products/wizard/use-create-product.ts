import { useState } from 'react'
import { AdminFault } from '../../api/admin-fault.ts'
import { adminPath } from '../../api/admin-http.ts'
import { useCallAdmin } from '../../console-context.ts'
import { useFaultSentence } from '../../kit/use-fault-sentence.ts'
import type { NewProduct } from '../product.ts'
import { type Draft, productBody } from './draft.ts'

/** Sentences of the dictionaries by field, for what was refused. */
export type Wrong = Readonly<Record<string, string>>

/** Registers a product. `app_refused`: something of the first step. */
export function useCreateProduct() {
  const callAdmin = useCallAdmin()
  const sentenceOf = useFaultSentence()
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
      setFault(sentenceOf(error))
      return 'refused'
    } finally {
      setBusy(false)
    }
  }
  return { create, isBusy, fault, wrong }
}
