import { Alert, Card, CardContent, Step, StepLabel, Stepper, Typography } from '@mui/material'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTexts } from '../../i18n/use-texts.ts'
import { PageHeading } from '../../kit/page-heading.tsx'
import type { NewProduct } from '../product.ts'
import { AddressStep } from './address-step.tsx'
import { AppStep } from './app-step.tsx'
import { type Draft, emptyDraft } from './draft.ts'
import { KeysStep } from './keys-step.tsx'
import { wizardTexts } from './texts.ts'
import { useCreateProduct } from './use-create-product.ts'

/** The steps from an app's name to working lines of code. */
export function ProductCreate() {
  const texts = useTexts(wizardTexts)
  const [draft, setDraft] = useState<Draft>(emptyDraft)
  const [step, setStep] = useState(0)
  const [made, setMade] = useState<NewProduct>()
  const { create, isBusy, fault, wrong } = useCreateProduct()
  const submit = async () => {
    const answered = await create(draft)
    if (answered === 'app_refused') return setStep(0)
    if (answered === 'refused') return undefined
    setMade(answered)
    return setStep(2)
  }
  const onChange = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  return (
    <>
      <PageHeading title={texts.title} back="/products" />
      <Progress step={step} />
      {fault !== undefined && (
        <Alert severity="error" sx={{ mb: 2, maxWidth: 720 }}>
          {fault}
        </Alert>
      )}
      {step === 0 && (
        <Page step={step}>
          <AppStep draft={draft} wrong={wrong} onChange={onChange} onNext={() => setStep(1)} />
        </Page>
      )}
      {step === 1 && (
        <Page step={step}>
          <AddressStep
            draft={draft}
            wrong={wrong}
            isBusy={isBusy}
            onChange={onChange}
            onBack={() => setStep(0)}
            onNext={() => void submit()}
          />
        </Page>
      )}
      {made && (
        <Page step={step}>
          <KeysStep made={made} draft={draft} />
        </Page>
      )}
    </>
  )
}

function Progress({ step }: { step: number }) {
  const texts = useTexts(wizardTexts)
  return (
    <Stepper activeStep={step} alternativeLabel aria-hidden="true" sx={{ maxWidth: 720, mb: 2 }}>
      {texts.steps.map((name) => (
        <Step key={name}>
          <StepLabel>{name}</StepLabel>
        </Step>
      ))}
    </Stepper>
  )
}

/** A step's heading takes the focus, so that screen readers announce the new step. */
function Page({ step, children }: { step: number; children: ReactNode }) {
  const texts = useTexts(wizardTexts)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (step > 0) heading.current?.focus()
  }, [step])
  return (
    <Card sx={{ maxWidth: 720 }}>
      <CardContent>
        <Typography ref={heading} tabIndex={-1} variant="h2" sx={{ mb: 1.5, outline: 'none' }}>
          {texts.step(step + 1, texts.steps.length, texts.steps[step] ?? '')}
        </Typography>
        {children}
      </CardContent>
    </Card>
  )
}
