import { Card, CardContent } from '@mui/material'
import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { CreateBase, Form, type RaRecord, SaveButton, useNotify, useRedirect, useSaveContext } from 'react-admin'
import { AdminFault } from '../../api/admin-fault.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { PageHeading } from '../page-heading.tsx'
import { kitTexts } from '../texts.ts'
import { useFaultSentence } from '../use-fault-sentence.ts'
import { FormFields } from './form-fields.tsx'
import { LOOKS_DISABLED } from './looks-disabled.ts'
import { NotSaved } from './not-saved.ts'
import { UnsavedAgain } from './unsaved-again.tsx'

interface CreatePageProps<Item extends RaRecord> {
  back: string
  title: string
  /** The page after the creation; for a secret that is shown once, `shown` replaces the form first. */
  pathOf: (item: Item) => string
  shown?: (item: Item) => ReactNode
  /** The state of the browser's history that the page after the creation gets. */
  stateOf?: () => object
  saveLabel?: string
  defaults?: Record<string, unknown>
  /** Turns the typed fields into the API's form, where they differ. */
  bodyOf?: (form: Record<string, unknown>) => Record<string, unknown>
  /** Inputs of react-admin. */
  children: ReactNode
}

/** Creates one record. */
export function CreatePage<Item extends RaRecord>({
  back,
  title,
  pathOf,
  shown,
  stateOf,
  saveLabel,
  defaults,
  bodyOf,
  children,
}: CreatePageProps<Item>) {
  const texts = useTexts(kitTexts)
  const notify = useNotify()
  const redirect = useRedirect()
  const sentenceOf = useFaultSentence()
  const [made, setMade] = useState<Item>()
  const isMade = useRef(false)
  const onError = (error: unknown) => {
    if (error instanceof NotSaved) return
    if (error instanceof AdminFault && Object.keys(error.body.errors).length > 0) return
    notify(sentenceOf(error), { type: 'error' })
  }
  const onSuccess = (item: Item) => {
    isMade.current = true
    if (shown) return setMade(item)
    notify(texts.created, { type: 'info' })
    redirect(pathOf(item), undefined, undefined, undefined, stateOf?.())
  }
  if (made && shown) {
    return (
      <>
        <PageHeading title={title} back={back} />
        {shown(made)}
      </>
    )
  }
  return (
    <CreateBase<Item, Item, Error> redirect={false} mutationOptions={{ onError, onSuccess }} {...(bodyOf && { transform: bodyOf })}>
      <PageHeading title={title} back={back} />
      <Card sx={{ maxWidth: 720 }}>
        <CardContent>
          <CreateForm isMade={isMade} defaults={defaults} saveLabel={saveLabel ?? texts.create}>
            {children}
          </CreateForm>
        </CardContent>
      </Card>
    </CreateBase>
  )
}

interface CreateFormProps {
  isMade: RefObject<boolean>
  defaults: Record<string, unknown> | undefined
  saveLabel: string
  children: ReactNode
}

/** Sends what was typed once: a second click may come while it is on its way, or before the page has changed. */
function CreateForm({ isMade, defaults, saveLabel, children }: CreateFormProps) {
  const { save, saving = false } = useSaveContext()
  const sending = useRef<Promise<unknown>>(undefined)
  const send = async (form: Record<string, unknown>) => {
    try {
      return await save?.(form)
    } finally {
      sending.current = undefined
    }
  }
  const saveOnce = async (form: Record<string, unknown>) => {
    if (isMade.current) return
    sending.current ??= send(form)
    return await sending.current
  }
  return (
    <Form warnWhenUnsavedChanges onSubmit={saveOnce} {...(defaults && { defaultValues: defaults })}>
      <UnsavedAgain isSaved={isMade} />
      <FormFields>{children}</FormFields>
      {/* A button that is disabled loses the focus, and a refusal would leave it nowhere. What is clicked meanwhile is not sent. */}
      <SaveButton type="submit" alwaysEnable aria-disabled={saving} label={saveLabel} sx={{ mt: 2, ...LOOKS_DISABLED }} />
    </Form>
  )
}
