import { Alert, Button, TextField } from '@mui/material'
import type { ReactNode } from 'react'
import { useTranslate } from 'react-admin'
import { AdminFault } from '../api/admin-fault.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { FormFields } from '../kit/form/form-fields.tsx'
import { Section } from '../kit/show/section.tsx'
import { kitTexts } from '../kit/texts.ts'
import { useFaultSentence } from '../kit/use-fault-sentence.ts'
import { AccentField } from './accent-field.tsx'
import type { Appearance, Draft, Field, ImageField, StoredImage } from './appearance.ts'
import { ImageInput } from './image-input.tsx'
import { appearanceTexts } from './texts.ts'
import { useTouchIcon } from './touch-icon.ts'

interface LookFormProps {
  appearance: Appearance
  draft: Draft
  set: (field: Field, text: string) => void
  save: () => Promise<void>
  fault: unknown
  isBusy: boolean
  isChanged: boolean
  mayEdit: boolean
}

/** The fields of a look. */
export function LookForm({ save, fault, isBusy, isChanged, ...look }: LookFormProps) {
  const texts = useTexts(appearanceTexts)
  const kit = useTexts(kitTexts)
  const errors = fault instanceof AdminFault ? fault.body.errors : {}
  const text = (field: TextName, type?: 'email' | 'url') => (
    <LookText {...look} field={field} error={errors[field]} {...(type && { type })} />
  )
  const touchIcon = useTouchIcon(look.draft, look.set)
  const isMade = (field: ImageField, made: StoredImage | undefined): made is StoredImage => made?.id === look.draft[field]
  const image = (field: ImageField, made?: StoredImage) => (
    <ImageInput
      label={texts.labels[field]}
      help={texts.help[field]}
      id={look.draft[field]}
      shownUrl={isMade(field, made) ? made.url : look.appearance.shown[`${field}_url`]}
      isStored={isMade(field, made) || (look.draft[field] !== '' && look.draft[field] === look.appearance[field])}
      error={errors[field]}
      mayEdit={look.mayEdit}
      onChange={(id, added) => {
        look.set(field, id)
        if (added) void touchIcon.draw(field, added)
      }}
    />
  )
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Part title={texts.brand}>
        {text('name')}
        <AccentField
          value={look.draft.accent}
          shown={look.appearance.shown.accent ?? ''}
          error={errors.accent}
          mayEdit={look.mayEdit}
          onChange={(accent) => look.set('accent', accent)}
        />
        {image('logo_light')}
        {image('logo_dark')}
        {image('favicon')}
        {image('touch_icon', touchIcon.made)}
      </Part>
      <Part title={texts.addresses}>
        {text('support_url', 'url')}
        {text('terms_url', 'url')}
        {text('privacy_url', 'url')}
        {text('footer')}
      </Part>
      <Part title={texts.mails}>
        {text('sender_name')}
        {text('reply_to', 'email')}
      </Part>
      <Why fault={fault} />
      {look.mayEdit && (
        <Button type="submit" variant="contained" disabled={isBusy || touchIcon.isDrawing || !isChanged}>
          {kit.save}
        </Button>
      )}
    </form>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Section title={title}>
      <FormFields>{children}</FormFields>
    </Section>
  )
}

type TextName = Exclude<Field, ImageField | 'accent'>

interface LookTextProps extends Pick<LookFormProps, 'appearance' | 'draft' | 'set' | 'mayEdit'> {
  field: TextName
  error: string | undefined
  type?: 'email' | 'url'
}

/** An empty field shows what counts instead. */
function LookText({ appearance, draft, set, mayEdit, field, error, type = 'email' }: LookTextProps) {
  const texts = useTexts(appearanceTexts)
  const translate = useTranslate()
  const inherited = draft[field] === '' && appearance[field] === null ? appearance.shown[field] : null
  return (
    <TextField
      label={texts.labels[field]}
      value={draft[field]}
      placeholder={inherited ?? ''}
      helperText={error === undefined ? texts.help[field] : translate(error)}
      error={error !== undefined}
      onChange={({ target }) => set(field, target.value)}
      margin="dense"
      autoComplete="off"
      slotProps={{ htmlInput: { inputMode: field === 'reply_to' || field.endsWith('_url') ? type : 'text', readOnly: !mayEdit } }}
    />
  )
}

/** Why it was not saved, where no field says it. */
function Why({ fault }: { fault: unknown }) {
  const texts = useTexts(appearanceTexts)
  const sentenceOf = useFaultSentence()
  if (fault === undefined) return undefined
  const isStale = fault instanceof AdminFault && fault.status === 412
  return (
    <Alert severity="error" sx={{ mb: 2 }}>
      {isStale ? texts.stale : sentenceOf(fault)}
    </Alert>
  )
}
