import { Box, Button, TextField } from '@mui/material'
import { type FormEvent, useState } from 'react'
import { useTexts } from '../../i18n/use-texts.ts'
import { appDoors, appFacts, kindsOf } from '../doors/app-kinds.ts'
import { Choice } from '../doors/choice.tsx'
import { doorTexts } from '../doors/door-texts.ts'
import { audiences, checkouts } from '../product.ts'
import { ChoiceCards } from './choice-cards.tsx'
import { type Draft, isSlug, slugOf, withDoor } from './draft.ts'
import { wizardTexts } from './texts.ts'
import type { Wrong } from './use-create-product.ts'

interface StepProps {
  draft: Draft
  wrong: Wrong
  onChange: (part: Partial<Draft>) => void
  onNext: () => void
}

const MAX_NAME = 100

/** The app's name, its company and its seller. */
export function AppStep({ draft, wrong, onChange, onNext }: StepProps) {
  const texts = useTexts(wizardTexts)
  const [isTried, setTried] = useState(false)
  const slug = slugOf(draft)
  const nameFault = (isTried && draft.name.trim() === '') || 'name' in wrong ? texts.nameWrong : undefined
  const slugFault = slugFaultOf({ slug, isTried, wrong }, texts)
  const next = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (draft.name.trim() !== '' && isSlug(slug)) onNext()
  }
  return (
    <form onSubmit={next} noValidate>
      <TextField
        fullWidth
        required
        label={texts.name}
        value={draft.name}
        error={nameFault !== undefined}
        helperText={nameFault ?? texts.nameHelp}
        onChange={({ target }) => onChange({ name: target.value })}
        slotProps={{ htmlInput: { maxLength: MAX_NAME, autoComplete: 'off' } }}
      />
      <TextField
        fullWidth
        required
        label={texts.slug}
        value={slug}
        error={slugFault !== undefined}
        helperText={slugFault ?? texts.slugHelp}
        onChange={({ target }) => onChange({ slug: target.value === '' ? undefined : target.value })}
        slotProps={{ htmlInput: { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } }}
      />
      <KindOfApp draft={draft} onChange={onChange} />
      {appFacts[draft.kind].door !== 'forward_auth' && (
        <ChoiceCards
          title={texts.audience}
          hint={texts.noAudienceChange}
          options={audiences}
          labels={texts.audiences}
          value={draft.audience}
          onChange={(audience) => onChange({ audience, checkout: audience === 'external' ? 'external' : 'integrated' })}
        />
      )}
      <ChoiceCards
        title={texts.checkout}
        options={checkouts}
        labels={texts.checkouts}
        value={draft.checkout}
        onChange={(checkout) => onChange({ checkout })}
      />
      <Button type="submit" variant="contained" sx={{ mt: 2 }}>
        {texts.next}
      </Button>
    </form>
  )
}

function KindOfApp({ draft, onChange }: Pick<StepProps, 'draft' | 'onChange'>) {
  const texts = useTexts(doorTexts)
  const { door } = appFacts[draft.kind]
  const kinds = kindsOf(door)
  return (
    <>
      <ChoiceCards
        title={texts.door}
        options={appDoors}
        labels={texts.doors}
        value={door}
        onChange={(wanted) => onChange(withDoor(draft, wanted))}
      />
      {kinds.length > 1 && (
        <Box sx={{ mt: 2 }}>
          <Choice label={texts.which} value={draft.kind} values={kinds} names={texts.apps} onChoose={(kind) => onChange({ kind })} />
        </Box>
      )}
    </>
  )
}

function slugFaultOf(
  { slug, isTried, wrong }: { slug: string; isTried: boolean; wrong: Wrong },
  texts: { slugWrong: string; slugTaken: string },
): string | undefined {
  if (slug !== '' && !isSlug(slug)) return texts.slugWrong
  if (wrong.slug === 'field.taken') return texts.slugTaken
  return (isTried && slug === '') || 'slug' in wrong ? texts.slugWrong : undefined
}
