import { Alert, Box, Button } from '@mui/material'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useRegisterMutationMiddleware, useSaveContext } from 'react-admin'
import { useFormState } from 'react-hook-form'
import { AdminFault } from '../../api/admin-fault.ts'
import { type AdminRequest, adminPath } from '../../api/admin-http.ts'
import { useCallAdmin } from '../../console-context.ts'
import { withoutEmpty } from '../../data-provider.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { Failed } from '../../kit/failed.tsx'
import { NotSaved } from '../../kit/form/not-saved.ts'
import type { Findings } from '../provider.ts'
import { FindingList } from './finding-list.tsx'
import { findingTexts } from './finding-texts.ts'

type Typed = Record<string, unknown>
type Mutation = (resource: string, params: { data: Typed }) => Promise<unknown>

/** The request that tests the values of a form before they are saved; `undefined` where nothing in them needs a test. */
type RequestOf = (typed: Typed) => AdminRequest | undefined

export const draftTest: RequestOf = (typed) => ({ path: adminPath('identity-providers', 'test'), body: withoutEmpty(typed) })

/** Only another secret is worth a test: issuer and client can't be changed. */
export const secretTest: RequestOf = ({ id, client_secret: clientSecret }) =>
  clientSecret === undefined || clientSecret === null || clientSecret === ''
    ? undefined
    : { path: adminPath('identity-providers', String(id), 'test'), body: { client_secret: clientSecret } }

/**
 * Tests a provider before the form around it is saved. Where something fails, nothing is saved, each result is shown, and the operator may
 * save it all the same: a fault of the network must not keep them out. `last` takes the findings, for the page that follows.
 */
export function TestBeforeSave({ requestOf, last }: { requestOf: RequestOf; last?: RefObject<Findings | undefined> }) {
  const texts = useTexts(findingTexts)
  const callAdmin = useCallAdmin()
  const { saving } = useSaveContext()
  const [found, setFound] = useState<Findings>()
  const [fault, setFault] = useState<unknown>()
  const anyway = useAnyway()
  const test = useCallback(
    async (request: AdminRequest) => {
      setFound(undefined)
      setFault(undefined)
      const answer = await callAdmin<Findings>({ ...request, method: 'POST' }).catch((error: unknown) => {
        // The service refuses to save what it refuses to test, and the form's fields say why.
        if (!(error instanceof AdminFault) || ![0, 429, 500, 502, 503].includes(error.status)) throw error
        setFault(error)
        throw new NotSaved()
      })
      if (last) last.current = answer
      if (answer.ok) return
      setFound(answer)
      throw new NotSaved()
    },
    [callAdmin, last],
  )
  const { take } = anyway
  useRegisterMutationMiddleware<Mutation>(
    useCallback(
      async (resource: string, params: { data: Typed }, next: Mutation) => {
        const request = requestOf(params.data)
        if (request !== undefined && !take()) await test(request)
        return next(resource, params)
      },
      [requestOf, take, test],
    ),
  )
  const isOpen = fault !== undefined || found !== undefined
  return (
    <Box sx={{ width: '100%', mt: 1 }}>
      <Box role="status">
        {saving && !isOpen && texts.testing}
        {fault !== undefined && <Failed error={fault} />}
        {found && <Alert severity="error">{texts.notSaved}</Alert>}
      </Box>
      {found && <FindingList findings={found.findings} />}
      {isOpen && (
        <Button type="submit" variant="outlined" disabled={saving === true} sx={{ mt: 1.5 }} onClick={anyway.want}>
          {texts.saveAnyway}
        </Button>
      )}
    </Box>
  )
}

/** Whether the operator has asked to save without a test. It is good for the very next submission: one that a field stops uses it up. */
function useAnyway() {
  const { submitCount } = useFormState()
  const submissions = useRef(submitCount)
  const wantedAt = useRef<number>(undefined)
  useEffect(() => {
    submissions.current = submitCount
  }, [submitCount])
  const want = useCallback(() => {
    wantedAt.current = submissions.current
  }, [])
  const take = useCallback(() => {
    const isWanted = wantedAt.current === submissions.current
    wantedAt.current = undefined
    return isWanted
  }, [])
  return { want, take }
}
