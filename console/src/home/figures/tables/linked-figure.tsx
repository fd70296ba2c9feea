import { Link, Typography } from '@mui/material'
import { Link as RouterLink } from 'react-router-dom'
import { useTexts } from '../../../i18n/use-texts.ts'
import { figureTexts } from '../figure-texts.ts'

interface LinkedFigureProps {
  /** Of the row and the column, for whoever does not see them. */
  label: string
  value: string
  before: string
  /** The list of what is counted, where there is one. */
  path: string | undefined
}

/** A figure of a table beside that of the month before. */
export function LinkedFigure({ label, value, before, path }: LinkedFigureProps) {
  const texts = useTexts(figureTexts)
  return (
    <>
      {path === undefined ? (
        value
      ) : (
        <Link component={RouterLink} to={path} color="inherit" aria-label={texts.open(label, value)}>
          {value}
        </Link>
      )}
      <Typography component="div" variant="caption" color="textSecondary">
        {texts.before(before)}
      </Typography>
    </>
  )
}
