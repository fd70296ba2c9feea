import { Card, CardContent, LinearProgress } from '@mui/material'
import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { EditBase, Form, type RaRecord, SaveButton, useEditContext, useNotify, useRedirect } from 'react-admin'
import { AdminFault } from '../../api/admin-fault.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { Failed } from '../failed.tsx'
import { PageHeading } from '../page-heading.tsx'
import type { ValueKind } from '../show/value-text.ts'
import { kitTexts } from '../texts.ts'
import { useFaultSentence } from '../use-fault-sentence.ts'
import { EditConflict } from './edit-conflict.tsx'
import { FormFields } from './form-fields.tsx'
import { NotSaved } from './not-saved.ts'
import { UnsavedAgain } from './unsaved-again.tsx'

interface EditPageProps<Item extends RaRecord> {
  /** The path of the list. */
  back: string
  title: (item: Item) => string
  /** The labels of fields, for the comparison after a conflict. */
  labels: Readonly<Record<string, string>>
  /** The kinds of fields for the same comparison, where the value alone does not show it. */
  kinds?: Readonly<Record<string, ValueKind>>
  /** Sentences for refusals, by the `reason` of a 409. */
  refusals?: Readonly<Record<string, string>>
  /** Inputs of react-admin. */
  children: ReactNode
}

/** Kept apart from the rows of lists, which have no version, and fewer fields. */
const whole = { onError: () => undefined, meta: { whole: true } }

/**
 * Changes one record. It sends the changed fields, with the version the form was filled from; after a conflict the user compares and
 * chooses.
 */
export function EditPage<Item extends RaRecord>(props: EditPageProps<Item>) {
  const texts = useTexts(kitTexts)
  const notify = useNotify()
  const redirect = useRedirect()
  const sentenceOf = useFaultSentence()
  const [conflicts, setConflicts] = useState(0)
  const isSaved = useRef(false)
  const onError = (error: unknown) => {
    if (error instanceof NotSaved) return undefined
    if (error instanceof AdminFault && error.status === 412) return setConflicts((before) => before + 1)
    if (error instanceof AdminFault && Object.keys(error.body.errors).length > 0) return undefined
    const said = sentenceOf(error, ({ reason = '' }) => props.refusals?.[reason])
    return notify(said, { type: 'error' })
  }
  const onSuccess = () => {
    isSaved.current = true
    setConflicts(0)
    notify(texts.saved, { type: 'info' })
    redirect(props.back)
  }
  return (
    <EditBase<Item>
      mutationMode="pessimistic"
      redirect={false}
      mutationOptions={{ onError, onSuccess, meta: whole.meta }}
      queryOptions={whole}
    >
      <Edited {...props} isSaved={isSaved} conflicts={conflicts} onSettled={() => setConflicts(0)} />
    </EditBase>
  )
}

type EditedProps<Item extends RaRecord> = EditPageProps<Item> & {
  /** How often another administrator was faster since the form was filled. */
  conflicts: number
  isSaved: RefObject<boolean>
  onSettled: () => void
}

function Edited<Item extends RaRecord>({ back, title, labels, kinds, children, isSaved, conflicts, onSettled }: EditedProps<Item>) {
  const texts = useTexts(kitTexts)
  const { record, error, isPending, refetch, saving } = useEditContext<Item>()
  if (!record) {
    return (
      <>
        <PageHeading title={isPending ? texts.loading : texts.failed} back={back} />
        {isPending ? <LinearProgress aria-label={texts.loading} /> : <Failed error={error} onRetry={refetch} />}
      </>
    )
  }
  return (
    <>
      <PageHeading title={title(record)} back={back} />
      <Card sx={{ maxWidth: 720 }}>
        <CardContent>
          <Form warnWhenUnsavedChanges>
            <UnsavedAgain isSaved={isSaved} />
            {conflicts > 0 && <EditConflict key={conflicts} labels={labels} kinds={kinds} onSettled={onSettled} />}
            <FormFields>{children}</FormFields>
            <SaveButton type="submit" alwaysEnable={false} disabled={saving === true} label={texts.save} sx={{ mt: 2 }} />
          </Form>
        </CardContent>
      </Card>
    </>
  )
}
