import { Link } from '@mui/material'
import { Link as RouterLink } from 'react-router-dom'
import { adminPath } from '../api/admin-http.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { CopyText } from '../kit/show/copy-text.tsx'
import { SELDOM, useRead } from '../kit/use-read.ts'
import { userTexts } from './texts.ts'
import { type UserDetails, userPath } from './user.ts'

/** A user by their id, as a link with their name; for a removed user the end of the id. */
export function UserName({ id }: { id: string }) {
  const texts = useTexts(userTexts)
  const { data } = useRead<UserDetails>(adminPath('users', id), SELDOM)
  if (!data) return <CopyText text={id} label={texts.id} short={12} />
  return (
    <Link component={RouterLink} to={userPath(id)}>
      {data.name}
    </Link>
  )
}
