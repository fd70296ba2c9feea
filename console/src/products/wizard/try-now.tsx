import { Box, Link, Typography } from '@mui/material'
import { useTexts } from '../../i18n/use-texts.ts'
import { CodeLines } from '../doors/code-lines.tsx'
import type { NewProduct } from '../product.ts'
import { appUrlOf, EXAMPLE_COMMAND, exampleLines, tryingUri } from './lines.ts'
import { wizardTexts } from './texts.ts'

/** The example app with these keys. `uri`: where it will listen; `undefined` while no such address is registered. */
export function TryNow({ made, uri }: { made: NewProduct; uri: string | undefined }) {
  const texts = useTexts(wizardTexts)
  const app = uri === undefined ? undefined : appUrlOf(uri)
  return (
    <Box component="section" aria-label={texts.tryTitle}>
      <Typography variant="h3" sx={{ mt: 3, mb: 0.5 }}>
        {texts.tryTitle}
      </Typography>
      <Box component="ol" sx={{ m: 0, pl: 2.5 }}>
        <li>
          {uri === undefined ? texts.tryOther(tryingUri(location.hostname)) : texts.tryCommand}
          <CodeLines text={EXAMPLE_COMMAND} label={texts.command} />
        </li>
        <li>
          {texts.tryPaste}
          <CodeLines text={exampleLines(made, location.origin)} label={texts.pasteLines} />
        </li>
        {app !== undefined && (
          <li>
            {texts.tryOpen}{' '}
            <Link underline="always" href={app} target="_blank" rel="noreferrer">
              {app}
            </Link>
          </li>
        )}
      </Box>
    </Box>
  )
}
