import { Link, Typography } from '@mui/material'
import { Link as RouterLink } from 'react-router-dom'
import { AdminFault } from '../api/admin-fault.ts'
import { adminPath } from '../api/admin-http.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { useRead } from '../kit/use-read.ts'
import { type UserDetails, userPath } from '../users/user.ts'
import { paymentTexts } from './payment-texts.ts'

/** An account by its id, with its user's name and address. */
export function UserLink({ id }: { id: string }) {
  const texts = useTexts(paymentTexts)
  const { data, error } = useRead<UserDetails>(adminPath('users', id))
  if (error instanceof AdminFault && error.status === 404) return <Typography color="textSecondary">{texts.userGone}</Typography>
  return (
    <>
      <Link component={RouterLink} to={userPath(id)}>
        {data?.name ?? id}
      </Link>
      {data && <Typography variant="body2">{data.email}</Typography>}
    </>
  )
}
