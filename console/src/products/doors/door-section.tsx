import { Alert, Button, Link as MuiLink, Stack, Typography } from '@mui/material'
import { type FormEvent, Fragment, type ReactNode, useEffect, useState } from 'react'
import { adminPath } from '../../api/admin-http.ts'
import { useMay } from '../../console-context.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { ActionButton } from '../../kit/form/action-button.tsx'
import { Section } from '../../kit/show/section.tsx'
import type { ProductDetails } from '../product.ts'
import { doorTexts } from './door-texts.ts'
import { type FormSaving, useFilling } from './use-filling.ts'

interface SectionProps {
  product: ProductDetails
  title: string
  about: string
  docs: { href: string; label: string }
  /** The field of a product that holds the settings; `null` there turns the door off. */
  field: 'openid' | 'forward_auth'
  offExplains: string
  /** The values that the app's own settings ask for, once it is on. */
  facts?: ReactNode
  /** The form. It is filled anew when the door's own settings have changed, and with them alone. */
  children: (saving: FormSaving) => ReactNode
}

/** A way to sign users in besides our client. While it is off, only a button shows, and nothing to those who may not turn it on. */
export function DoorSection({ product, title, about, docs, field, offExplains, facts, children }: SectionProps) {
  const texts = useTexts(doorTexts)
  const mayChange = useMay('products:write')
  const { id, _version: version } = product
  const [isOpened, setOpened] = useState(false)
  const isOn = product[field] !== null
  if (!mayChange && !isOn) return undefined
  // Turned off again, the form is closed.
  if (isOn && isOpened) setOpened(false)
  const isOpen = isOn || isOpened
  return (
    <Section title={title}>
      <Typography variant="body2" color="textSecondary">
        {about}
      </Typography>
      <MuiLink href={docs.href} target="_blank" rel="noopener">
        {docs.label}
      </MuiLink>
      {isOn && facts}
      {isOpen && (
        <Opened product={product} field={field}>
          {children}
        </Opened>
      )}
      {!isOpen && (
        <Button variant="outlined" onClick={() => setOpened(true)} sx={{ display: 'block', mt: 2 }}>
          {texts.on}
        </Button>
      )}
      {mayChange && isOn && (
        <ActionButton
          label={texts.off}
          tone="danger"
          request={{ path: adminPath('products', id), method: 'PATCH', body: { [field]: null }, ifMatch: version }}
          explains={offExplains}
        />
      )}
    </Section>
  )
}

/** The outcome of the last change outlives the form, which is filled anew after a conflict. */
function Opened({ product, field, children }: Pick<SectionProps, 'product' | 'field' | 'children'>) {
  const { key, saving } = useFilling(product, field)
  return <Fragment key={key}>{children(saving)}</Fragment>
}

interface FormProps {
  product: ProductDetails
  saving: FormSaving
  save: string
  /** The fields to send. */
  wanted: () => Record<string, unknown>
  children: ReactNode
}

/** The settings of a door, saved as a whole. Its inputs are disabled by themselves for those who may not change them. */
export function DoorForm({ product, saving: { change, isBusy, fault, onTyped }, save, wanted, children }: FormProps) {
  const mayChange = useMay('products:write')
  const now = JSON.stringify(wanted())
  const [filled] = useState(now)
  useEffect(() => onTyped({ filled, now }), [onTyped, filled, now])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void change(wanted(), product._version)
  }
  return (
    <Stack component="form" onSubmit={submit} spacing={2} sx={{ my: 2, maxWidth: 720 }}>
      {children}
      {fault !== undefined && <Alert severity="error">{fault}</Alert>}
      {mayChange && (
        <Button type="submit" variant="contained" disabled={isBusy} sx={{ alignSelf: 'start' }}>
          {save}
        </Button>
      )}
    </Stack>
  )
}
