import { Alert, AlertTitle, Button, Link as MuiLink, Typography } from '@mui/material'
import { Link } from 'react-router-dom'
import { useTexts } from '../../i18n/use-texts.ts'
import { appFacts } from '../doors/app-kinds.ts'
import { CodeLines } from '../doors/code-lines.tsx'
import { doorTexts } from '../doors/door-texts.ts'
import { MadeLines } from '../doors/snippet-lines.tsx'
import { type NewProduct, productPath } from '../product.ts'
import type { Draft } from './draft.ts'
import { endsInCallback, isForExample } from './lines.ts'
import { wizardTexts } from './texts.ts'
import { TryNow } from './try-now.tsx'

interface StepProps {
  made: NewProduct
  /** The app, and the address that was registered with it. */
  draft: Pick<Draft, 'kind' | 'uri'>
}

/** The keys, shown only now, as lines to paste; then a way to try them. */
export function KeysStep({ made, draft: { kind, uri } }: StepProps) {
  const texts = useTexts(wizardTexts)
  const doors = useTexts(doorTexts)
  const { door } = appFacts[kind]
  const isTriable = door === 'client' && isForExample({ audience: made.audience, uri }, location.hostname)
  return (
    <>
      <Alert severity="warning" sx={{ mb: 2 }}>
        <AlertTitle>{texts.made(made.name)}</AlertTitle>
        {texts.onlyOnce}
      </Alert>
      {isTriable && <TryNow made={made} uri={uri} />}
      <Heading>{`${doors.lines}: ${doors.apps[kind]}`}</Heading>
      <MadeLines made={made} kind={kind} />
      <AboutLines made={made} draft={{ kind, uri }} />
      {door === 'client' && made.audience === 'external' && !isTriable && <TryNow made={made} uri={undefined} />}
      {made.checkout === 'integrated' && (
        <>
          <Heading>{texts.webhookTitle}</Heading>
          <Typography>{texts.webhookAbout}</Typography>
        </>
      )}
      <Button component={Link} to={productPath(made.id)} variant="contained" sx={{ mt: 3 }}>
        {texts.done}
      </Button>
    </>
  )
}

/** The advice that the lines do not have. */
function AboutLines({ made, draft: { kind, uri } }: StepProps) {
  const texts = useTexts(wizardTexts)
  const { door, openid } = appFacts[kind]
  const needsKey = door === 'client' ? made.audience === 'external' : openid?.kind === 'web'
  return (
    <>
      {door === 'client' && !endsInCallback(uri) && <Alert severity="info">{texts.envElsewhere}</Alert>}
      {door === 'client' && (
        <Typography>
          {texts.codeAbout} {texts.otherLanguages}{' '}
          <MuiLink underline="always" href="/docs" target="_blank" rel="noreferrer">
            {texts.apiDocs}
          </MuiLink>
          .
        </Typography>
      )}
      {door !== 'client' && (
        <Typography sx={{ mt: 1 }}>
          <MuiLink underline="always" href={door === 'openid' ? '/docs/openid' : '/docs/forward-auth'} target="_blank" rel="noopener">
            {texts.moreAbout}
          </MuiLink>
        </Typography>
      )}
      {!needsKey && (
        <Typography component="div" sx={{ mt: 2 }}>
          {texts.internalKey}
          <CodeLines text={`PORTARIA_API_KEY=${made.api_key}`} label="PORTARIA_API_KEY" />
        </Typography>
      )}
    </>
  )
}

function Heading({ children }: { children: string }) {
  return (
    <Typography variant="h3" sx={{ mt: 3, mb: 0.5 }}>
      {children}
    </Typography>
  )
}
