import { Alert, AlertTitle, Button, Link as MuiLink, Typography } from '@mui/material'
import { Link } from 'react-router-dom'
import { useTexts } from '../../i18n/use-texts.ts'
import { type NewProduct, productPath } from '../product.ts'
import { CodeLines } from './code-lines.tsx'
import { endsInCallback, envLines, expressLines, installCommand, isForExample } from './lines.ts'
import { wizardTexts } from './texts.ts'
import { TryNow } from './try-now.tsx'

interface StepProps {
  made: NewProduct
  /** The address that was registered with it. */
  uri: string
}

/** The keys, shown only now, as lines to paste; then a way to try them. */
export function KeysStep({ made, uri }: StepProps) {
  const texts = useTexts(wizardTexts)
  const isTriable = isForExample({ audience: made.audience, uri }, location.hostname)
  return (
    <>
      <Alert severity="warning" sx={{ mb: 2 }}>
        <AlertTitle>{texts.made(made.name)}</AlertTitle>
        {texts.onlyOnce}
      </Alert>
      {isTriable && <TryNow made={made} uri={uri} />}
      <Heading>{texts.envTitle}</Heading>
      {texts.envAbout}
      <CodeLines text={envLines({ ...made, uri }, location.origin)} label={texts.envLines} />
      {!endsInCallback(uri) && <Alert severity="info">{texts.envElsewhere}</Alert>}
      {made.audience === 'internal' && (
        <>
          {texts.internalKey}
          <CodeLines text={`PORTARIA_API_KEY=${made.api_key}`} label="PORTARIA_API_KEY" />
        </>
      )}
      <Heading>{texts.codeTitle}</Heading>
      <CodeToUse uri={uri} />
      {made.audience === 'external' && !isTriable && <TryNow made={made} uri={undefined} />}
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

function CodeToUse({ uri }: Pick<StepProps, 'uri'>) {
  const texts = useTexts(wizardTexts)
  return (
    <>
      <Typography>
        <code>@portaria/client</code>: {texts.installAbout}
      </Typography>
      <CodeLines text={installCommand(location.origin)} label={texts.installCommand} />
      <Typography>{texts.codeAbout}</Typography>
      <CodeLines text={expressLines(uri, texts.hello)} label={texts.codeLines} />
      <Typography sx={{ mt: 1 }}>
        {texts.otherLanguages}{' '}
        <MuiLink underline="always" href="/docs" target="_blank" rel="noreferrer">
          {texts.apiDocs}
        </MuiLink>
        .
      </Typography>
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
