import { html } from 'ghtml'
import type { Language } from '../../pages/index.ts'
import { texts } from '../texts.ts'
import { darkStyles, styles } from './mail-styles.ts'
import type { MailTemplate } from './mail-template.ts'

/**
 * The HTML of a mail: one column of at most 600 px, tables and inline styles since mail clients support little else, no picture, nothing
 * fetched, nothing that shows us whether it was read.
 */
export function asHtml(template: MailTemplate, language: Language): string {
  const { neverAsked, automatic } = texts[language]
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<title>${template.subject}</title>
<style>!${darkStyles}</style>
</head>
<body class="ground" style="!${styles.body}">
<div style="!${styles.preview}">${template.paragraphs[0] ?? ''}</div>
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" border="0" style="!${styles.ground}"><tr><td class="edge" align="center" style="!${styles.edge}">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" style="!${styles.column}">
<tr><td style="!${styles.brand}"><span class="brand-mark" aria-hidden="true" style="!${styles.brandMark}">P</span><span class="ink" style="!${styles.brandName}">Portaria</span></td></tr>
<tr><td class="card" style="!${styles.card}">
<h1 class="ink" style="!${styles.title}">${template.title}</h1>
!${[template.greeting, ...template.paragraphs].map(paragraph).join('\n')}
!${code(template)}
!${facts(template)}
!${action(template, language)}
!${template.closing.map(paragraph).join('\n')}
</td></tr>
<tr><td class="soft" style="!${styles.footer}">
<p style="!${styles.footerLine}">${template.why}</p>
<p class="ink" style="!${styles.footerWarning}">${neverAsked}</p>
<p style="!${styles.footerLine}">${automatic}</p>
</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
}

function paragraph(text: string): string {
  return html`<p class="ink" style="!${styles.paragraph}">${text}</p>`
}

/** Wide digits by letter spacing, not by spaces, so that a copy holds only the code. */
function code({ code }: MailTemplate): string {
  return code === undefined ? '' : html`<p class="code" style="!${styles.code}">${code}</p>`
}

function facts({ facts }: MailTemplate): string {
  if (!facts) return ''
  const rows = facts.map(
    ({ label, value }) =>
      html`<tr><th class="soft fact-label" scope="row" align="left" valign="top" style="!${styles.factLabel}">${label}</th><td class="ink fact-value" valign="top" style="!${styles.factValue}">${value}</td></tr>`,
  )
  return html`<table class="sunken" width="100%" cellpadding="0" cellspacing="0" border="0" style="!${styles.facts}">!${rows.join('\n')}</table>`
}

function action({ action, otherAction }: MailTemplate, language: Language): string {
  if (!action) return ''
  const other = otherAction
    ? html`<p class="ink" style="!${styles.paragraph}">${otherAction.lead ?? ''} <a class="link" href="${otherAction.url}" style="!${styles.link}">${otherAction.label}</a></p>`
    : ''
  return html`!${action.lead === undefined ? '' : paragraph(action.lead)}
<table role="presentation" class="button-frame" cellpadding="0" cellspacing="0" border="0" style="!${styles.buttonFrame}"><tr><td class="button" align="center" bgcolor="#0d7a56" style="!${styles.buttonCell}"><a class="button-label" href="${action.url}" style="!${styles.button}">${action.label}</a></td></tr></table>
<p class="soft" style="!${styles.fallback}">${texts[language].linkAsText}<br><a class="link" href="${action.url}" style="!${styles.fallbackLink}">${action.url}</a></p>
!${other}`
}
