import { Alert, Button, MenuItem, Link as MuiLink, Stack, TextField, Typography } from '@mui/material'
import { type FormEvent, useState } from 'react'
import { adminPath } from '../api/admin-http.ts'
import { useMay } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { ActionButton } from '../kit/form/action-button.tsx'
import { Section } from '../kit/show/section.tsx'
import { forwardAuthTexts } from './forward-auth-texts.ts'
import { type ForwardAuth, forwardAccesses, type ProductDetails } from './product.ts'
import { useProductChange } from './use-product-change.ts'

const NONE: ForwardAuth = { access: 'signed_in', plans: [], hosts: [] }

/** The rule and the hosts of an app behind a proxy that asks. An external product never has them. */
export function ForwardAuthSection({ product }: { product: ProductDetails }) {
  const texts = useTexts(forwardAuthTexts)
  const mayChange = useMay('products:write')
  const { forward_auth: rule, _version: version } = product
  if (product.audience === 'external' || (!mayChange && !rule)) return undefined
  return (
    <Section title={texts.title}>
      <Typography variant="body2" color="textSecondary">
        {texts.about}
      </Typography>
      <MuiLink href="/docs/forward-auth" target="_blank" rel="noopener">
        {texts.docs}
      </MuiLink>
      {/* Another version fills the form anew. */}
      <Rule key={version} product={product} mayChange={mayChange} />
      {mayChange && rule && (
        <ActionButton
          label={texts.off}
          tone="danger"
          request={{ path: adminPath('products', product.id), method: 'PATCH', body: { forward_auth: null }, ifMatch: version }}
          explains={texts.offExplains}
        />
      )}
    </Section>
  )
}

function Rule({ product, mayChange }: { product: ProductDetails; mayChange: boolean }) {
  const texts = useTexts(forwardAuthTexts)
  const stored = product.forward_auth ?? NONE
  const [access, setAccess] = useState(stored.access)
  const [hosts, setHosts] = useState(stored.hosts.join('\n'))
  const [plans, setPlans] = useState(stored.plans.join(', '))
  const { change, isBusy, fault } = useProductChange(product)
  const save = (event: FormEvent) => {
    event.preventDefault()
    const wanted: ForwardAuth = { access, plans: access === 'plans' ? splitList(plans) : [], hosts: splitList(hosts) }
    void change({ forward_auth: wanted }, product._version)
  }
  return (
    <Stack component="form" onSubmit={save} spacing={2} sx={{ my: 2, maxWidth: 720 }}>
      <TextField
        label={texts.hosts}
        helperText={texts.hostsHelp}
        value={hosts}
        onChange={({ target }) => setHosts(target.value)}
        multiline
        minRows={2}
        disabled={!mayChange}
      />
      <TextField
        select
        label={texts.access}
        value={access}
        onChange={({ target }) => setAccess(forwardAccesses.find((one) => one === target.value) ?? 'signed_in')}
        disabled={!mayChange}
      >
        {forwardAccesses.map((one) => (
          <MenuItem key={one} value={one}>
            {texts.accesses[one]}
          </MenuItem>
        ))}
      </TextField>
      {access === 'plans' && (
        <TextField
          label={texts.plans}
          helperText={texts.plansHelp}
          value={plans}
          onChange={({ target }) => setPlans(target.value)}
          disabled={!mayChange}
        />
      )}
      {fault !== undefined && <Alert severity="error">{fault}</Alert>}
      {mayChange && (
        <Button type="submit" variant="contained" disabled={isBusy} sx={{ alignSelf: 'start' }}>
          {texts.save}
        </Button>
      )}
    </Stack>
  )
}

/** Names with spaces, commas or lines between them. */
function splitList(text: string): string[] {
  return text.split(/[\s,]+/).filter((part) => part !== '')
}
