import { Checkbox, FormControlLabel, FormGroup } from '@mui/material'
import { useState } from 'react'
import { adminPath } from '../api/admin-http.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { ActionButton } from '../kit/form/action-button.tsx'
import { actionTexts } from './action-texts.ts'
import type { Subscription } from './subscription.ts'

type LinkName = 'account' | 'product_user'

/** Removes a subscription from its account, from the product's user, or from both. */
export function UnlinkButton({ subscription: { id, user_id, product_user } }: { subscription: Subscription }) {
  const texts = useTexts(actionTexts)
  const [kept, setKept] = useState<readonly LinkName[]>([])
  const links = [...(user_id === null ? [] : ['account' as const]), ...(product_user === null ? [] : ['product_user' as const])]
  const chosen = links.filter((link) => !kept.includes(link))
  if (links.length === 0) return undefined
  const names = { account: texts.unlinkUser, product_user: texts.unlinkProductUser } as const satisfies Record<LinkName, string>
  return (
    <ActionButton
      label={texts.unlink}
      tone="danger"
      reason="required"
      request={{ path: adminPath('subscriptions', id, 'unlink'), body: { links: chosen } }}
      refusals={texts.refusals}
      explains={
        <>
          {texts.unlinkExplains}
          <FormGroup sx={{ mt: 1 }}>
            {links.map((link) => (
              <FormControlLabel
                key={link}
                label={names[link]}
                control={
                  <Checkbox
                    checked={chosen.includes(link)}
                    // Without any there is nothing to do: the browser says so.
                    required={chosen.length === 0}
                    onChange={({ target }) => setKept(target.checked ? kept.filter((one) => one !== link) : [...kept, link])}
                  />
                }
              />
            ))}
          </FormGroup>
        </>
      }
    />
  )
}
