import { Link, List, ListItem, ListItemText, Typography } from '@mui/material'
import type { ReactNode } from 'react'
import { Link as RouterLink } from 'react-router-dom'
import { useTexts } from '../i18n/use-texts.ts'
import { Section } from '../kit/show/section.tsx'
import { userPath } from '../users/user.ts'
import { EvidenceChips } from './evidence-chips.tsx'
import { paymentTexts } from './payment-texts.ts'

/** A kind of evidence that a purchase is a user's, by the service's names. */
export type Evidence = 'tax_id' | 'address' | 'nearby_address' | 'phone' | 'mailbox_name' | 'name'

/** A user who may be the buyer, with the evidence. */
export interface SuggestedUser {
  id: string
  name: string
  email: string
  /** Whether the address is verified. */
  verified: boolean
  because: Evidence[]
}

interface SuggestedUsersProps {
  users: readonly SuggestedUser[]
  /** The button beside a user, if there is one. */
  actionOf: (user: SuggestedUser) => ReactNode
}

/** Users who may be the buyer of a guest purchase, each with the evidence. Shows nothing where there are none. */
export function SuggestedUsers({ users, actionOf }: SuggestedUsersProps) {
  const texts = useTexts(paymentTexts)
  if (users.length === 0) return undefined
  return (
    <Section title={texts.suggested}>
      <Typography variant="body2" color="textSecondary">
        {texts.suggestedHelp}
      </Typography>
      <List dense disablePadding aria-label={texts.suggested}>
        {users.map((user) => (
          <ListItem key={user.id} disableGutters sx={{ flexWrap: 'wrap', gap: 1 }}>
            <ListItemText
              primary={
                <Link component={RouterLink} to={userPath(user.id)}>
                  {`${user.name} (${user.email})`}
                </Link>
              }
              secondary={!user.verified && texts.suggestedUnverified}
            />
            <EvidenceChips because={user.because} />
            {actionOf(user)}
          </ListItem>
        ))}
      </List>
    </Section>
  )
}
