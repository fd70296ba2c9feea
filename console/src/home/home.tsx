import { Typography } from '@mui/material'
import { useMe } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { PageHeading } from '../kit/page-heading.tsx'
import { homeTexts } from './texts.ts'

/** The first page. */
export function Home() {
  const texts = useTexts(homeTexts)
  const { name } = useMe()
  return (
    <>
      <PageHeading title={texts.title} />
      <Typography>{texts.greeting(name)}</Typography>
    </>
  )
}
