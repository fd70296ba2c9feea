import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNotify } from 'react-admin'
import { AdminFault } from '../api/admin-fault.ts'
import { useSession } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { kitTexts } from '../kit/texts.ts'
import { type Appearance, bodyOf, changesOf, type Draft, draftOf, type Field } from './appearance.ts'

/** A look as it was read, with its version. */
export interface ReadAppearance {
  appearance: Appearance
  version: string | undefined
}

const keyOf = (path: string) => ['appearance', path]

/** Reads a look. `path`: of the operator's, or of a product's own. */
export function useAppearance(path: string) {
  const { call } = useSession()
  return useQuery({
    queryKey: keyOf(path),
    // A text that is being typed is not replaced because the window is looked at again.
    refetchOnWindowFocus: false,
    queryFn: async ({ signal }): Promise<ReadAppearance> => {
      const { body, etag } = await call<Appearance>({ path, signal })
      return { appearance: body, version: etag }
    },
  })
}

/** The look while it is edited. After a conflict it is read anew, and what was typed stays; so does what is typed while it is saved. */
export function useDraft(path: string, { appearance, version }: ReadAppearance, readAgain: () => Promise<unknown>) {
  const texts = useTexts(kitTexts)
  const { call } = useSession()
  const notify = useNotify()
  const queries = useQueryClient()
  const stored = draftOf(appearance)
  const [typed, setTyped] = useState<Partial<Draft>>({})
  const [fault, setFault] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const draft = { ...stored, ...typed }
  const changes = changesOf(draft, stored)
  const save = async () => {
    setBusy(true)
    setFault(undefined)
    try {
      const { body, etag } = await call<Appearance>({ path, method: 'PATCH', body: bodyOf(changes), ifMatch: version })
      queries.setQueryData<ReadAppearance>(keyOf(path), { appearance: body, version: etag })
      setTyped((now) => typedSince(now, typed))
      notify(texts.saved, { type: 'info' })
    } catch (error) {
      setFault(error)
      if (error instanceof AdminFault && error.status === 412) await readAgain()
    } finally {
      setBusy(false)
    }
  }
  return {
    draft,
    changes,
    fault,
    isBusy,
    isChanged: Object.keys(changes).length > 0,
    set: (field: Field, text: string) => setTyped((before) => ({ ...before, [field]: text })),
    save,
  }
}

/** The fields that are not as they were when they were sent. */
function typedSince(now: Partial<Draft>, sent: Partial<Draft>): Partial<Draft> {
  const before = new Map(Object.entries(sent))
  return Object.fromEntries(Object.entries(now).filter(([field, text]) => before.get(field) !== text))
}
