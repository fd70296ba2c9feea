import { TextField } from '@mui/material'
import { useState } from 'react'
import { useMay } from '../../console-context.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { type ForwardAuth, forwardAccesses, type ProductDetails } from '../product.ts'
import { Choice, splitList } from './choice.tsx'
import { DoorForm, DoorSection } from './door-section.tsx'
import { forwardAuthTexts } from './forward-auth-texts.ts'
import type { FormSaving } from './use-filling.ts'

const NONE: ForwardAuth = { access: 'signed_in', plans: [], hosts: [] }

/** The rule and the hosts of an app behind a proxy that asks. An external product never has them. */
export function ForwardAuthSection({ product }: { product: ProductDetails }) {
  const texts = useTexts(forwardAuthTexts)
  if (product.audience === 'external') return undefined
  return (
    <DoorSection
      product={product}
      title={texts.title}
      about={texts.about}
      docs={{ href: '/docs/forward-auth', label: texts.docs }}
      field="forward_auth"
      offExplains={texts.offExplains}
    >
      {(saving) => <Rule product={product} saving={saving} />}
    </DoorSection>
  )
}

function Rule({ product, saving }: { product: ProductDetails; saving: FormSaving }) {
  const texts = useTexts(forwardAuthTexts)
  const mayChange = useMay('products:write')
  const stored = product.forward_auth ?? NONE
  const [access, setAccess] = useState(stored.access)
  const [hosts, setHosts] = useState(stored.hosts.join('\n'))
  const [plans, setPlans] = useState(stored.plans.join(', '))
  const wanted = () => ({ forward_auth: { access, plans: access === 'plans' ? splitList(plans) : [], hosts: splitList(hosts) } })
  return (
    <DoorForm product={product} saving={saving} save={texts.save} wanted={wanted}>
      <TextField
        label={texts.hosts}
        helperText={texts.hostsHelp}
        value={hosts}
        onChange={({ target }) => setHosts(target.value)}
        multiline
        minRows={2}
        disabled={!mayChange}
      />
      <Choice
        label={texts.access}
        value={access}
        values={forwardAccesses}
        names={texts.accesses}
        onChoose={setAccess}
        disabled={!mayChange}
      />
      {access === 'plans' && (
        <TextField
          label={texts.plans}
          helperText={texts.plansHelp}
          value={plans}
          onChange={({ target }) => setPlans(target.value)}
          disabled={!mayChange}
        />
      )}
    </DoorForm>
  )
}
