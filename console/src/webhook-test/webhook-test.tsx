import { Alert, Box, Button, Typography } from '@mui/material'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { adminPath } from '../api/admin-http.ts'
import { useCallAdmin } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { Failed } from '../kit/failed.tsx'
import { PageHeading } from '../kit/page-heading.tsx'
import { Section } from '../kit/show/section.tsx'
import { Json } from '../kit/show/values.tsx'
import { useRead } from '../kit/use-read.ts'
import { GatewaysNote } from './gateways-note.tsx'
import { SecretMissing } from './secret-missing.tsx'
import { TestSteps } from './test-steps.tsx'
import { outlineOf, type Tested, type Wanted } from './tested.ts'
import { testTexts } from './texts.ts'
import { WantedFields } from './wanted-fields.tsx'

/** Sends a test purchase to the service itself, and shows the request and the results, step by step. */
export function WebhookTest() {
  const texts = useTexts(testTexts)
  const callAdmin = useCallAdmin()
  const [wanted, setWanted] = useState<Wanted>({ event: 'purchase.completed', product: '', email: '' })
  const isSecretMissing = useRead<{ secret_is_set: boolean }>(adminPath('webhooks', 'test')).data?.secret_is_set === false
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: () => callAdmin<Tested>({ path: adminPath('webhooks', 'test'), method: 'POST', body: bodyOf(wanted) }),
  })
  const found = useRef<HTMLElement>(null)
  useEffect(() => {
    if (data || error) found.current?.focus() // it lies below the fold
  }, [data, error])
  const send = (event: FormEvent) => {
    event.preventDefault()
    mutate()
  }
  return (
    <>
      <PageHeading title={texts.title} back="/notifications" />
      <Typography sx={{ mb: 2.5, maxWidth: 720 }}>{texts.explains}</Typography>
      {isSecretMissing && <SecretMissing />}
      <Box sx={{ display: 'grid', gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' }, columnGap: 2.5 }}>
        <Section title={texts.choose}>
          <form onSubmit={send}>
            <WantedFields wanted={wanted} onChange={setWanted} />
            <GatewaysNote slug={wanted.product} />
            <Button type="submit" variant="contained" disabled={isPending || isSecretMissing} sx={{ mt: 2 }}>
              {isPending ? texts.sending : texts.send}
            </Button>
          </form>
        </Section>
        <Request wanted={wanted} />
      </Box>
      <Section title={texts.answer}>
        <Box ref={found} tabIndex={-1} aria-live="polite" aria-busy={isPending} sx={{ outline: 'none' }}>
          {error && <Failed error={error} />}
          {data && <Answer tested={data} />}
          {!data && !error && <Typography color="textSecondary">{isPending ? texts.sending : texts.answerHint}</Typography>}
        </Box>
      </Section>
    </>
  )
}

function Request({ wanted }: { wanted: Wanted }) {
  const texts = useTexts(testTexts)
  return (
    <Section title={texts.request}>
      <Typography sx={{ mb: 1 }}>
        <code>{`POST ${window.location.origin}/api/webhook/payment`}</code>
      </Typography>
      <Json value={outlineOf(wanted)} label={texts.requestBody} />
      <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
        {texts.requestHint}
      </Typography>
    </Section>
  )
}

function Answer({ tested: { ok, steps } }: { tested: Tested }) {
  const texts = useTexts(testTexts)
  return (
    <>
      <Alert severity={ok ? 'success' : 'error'}>{ok ? texts.works : texts.broken}</Alert>
      <TestSteps steps={steps} />
    </>
  )
}

function bodyOf({ event, product, email }: Wanted): object {
  return { event, ...(product !== '' && { product }), ...(email.trim() !== '' && { email: email.trim() }) }
}
