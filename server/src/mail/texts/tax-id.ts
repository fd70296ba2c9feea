import type { Language } from '../../pages/index.ts'

/** The mails about a changed CPF or CNPJ, beside the dictionaries of the languages. */
export const taxIdTexts = {
  'pt-BR': {
    tax_id_corrected: {
      subject: 'Seu CPF ou CNPJ foi corrigido',
      title: 'O CPF ou CNPJ da sua conta foi corrigido',
      number: 'CPF ou CNPJ',
      lead: 'Alguém que entrou na sua conta corrigiu o CPF ou CNPJ dela. Se foi você, não precisa fazer nada. Daqui em diante, só o suporte pode mudar o número.',
      button: 'Não fui eu: proteger a conta',
      notYou: 'Se não foi você, alguém está na sua conta. Proteja a conta agora e depois peça ao suporte que volte o número certo.',
      why: 'Você recebeu este e-mail porque avisamos quando muda o CPF ou CNPJ da sua conta.',
    },
    tax_id_changed_by_support: {
      subject: 'O suporte mudou seu CPF ou CNPJ',
      title: 'O suporte mudou o CPF ou CNPJ da sua conta',
      number: 'CPF ou CNPJ',
      lead: 'O suporte mudou o CPF ou CNPJ que guardamos na sua conta. Se você pediu isso, não precisa fazer mais nada.',
      removed: 'removido',
      button: 'Não pedi: proteger a conta',
      notYou: 'Se não foi você quem pediu, alguém pode ter se passado por você. Proteja a conta agora.',
      why: 'Você recebeu este e-mail porque avisamos quando muda o CPF ou CNPJ da sua conta.',
    },
  },
  en: {
    tax_id_corrected: {
      subject: 'Your CPF or CNPJ has been corrected',
      title: 'The CPF or CNPJ of your account has been corrected',
      number: 'CPF or CNPJ',
      lead: 'Someone who is signed in to your account corrected its CPF or CNPJ. If it was you, there is nothing to do. From now on only support can change the number.',
      button: 'Not me: protect the account',
      notYou: 'If it was not you, someone is in your account. Protect it now, and then ask support to put the right number back.',
      why: 'You received this email because we tell you when the CPF or CNPJ of your account changes.',
    },
    tax_id_changed_by_support: {
      subject: 'Support has changed your CPF or CNPJ',
      title: 'Support has changed the CPF or CNPJ of your account',
      number: 'CPF or CNPJ',
      lead: 'Support has changed the CPF or CNPJ that we keep for your account. If you asked for this, there is nothing more to do.',
      removed: 'removed',
      button: 'Not me: protect the account',
      notYou: 'If it was not you who asked, somebody may have posed as you. Protect the account now.',
      why: 'You received this email because we tell you when the CPF or CNPJ of your account changes.',
    },
  },
  es: {
    tax_id_corrected: {
      subject: 'Se corrigió tu CPF o CNPJ',
      title: 'Se corrigió el CPF o CNPJ de tu cuenta',
      number: 'CPF o CNPJ',
      lead: 'Alguien que entró en tu cuenta corrigió su CPF o CNPJ. Si fuiste tú, no tienes que hacer nada. A partir de ahora solo el soporte puede cambiar el número.',
      button: 'No fui yo: proteger la cuenta',
      notYou:
        'Si no fuiste tú, alguien está en tu cuenta. Protégela ahora y después pide al soporte que vuelva a poner el número correcto.',
      why: 'Recibiste este correo porque avisamos cuando cambia el CPF o CNPJ de tu cuenta.',
    },
    tax_id_changed_by_support: {
      subject: 'El soporte cambió tu CPF o CNPJ',
      title: 'El soporte cambió el CPF o CNPJ de tu cuenta',
      number: 'CPF o CNPJ',
      lead: 'El soporte cambió el CPF o CNPJ que guardamos en tu cuenta. Si lo pediste tú, no tienes que hacer nada más.',
      removed: 'eliminado',
      button: 'No lo pedí: proteger la cuenta',
      notYou: 'Si no lo pediste tú, alguien pudo hacerse pasar por ti. Protege la cuenta ahora.',
      why: 'Recibiste este correo porque avisamos cuando cambia el CPF o CNPJ de tu cuenta.',
    },
  },
} satisfies Record<Language, TaxIdTexts>

type Warning = Record<'subject' | 'title' | 'number' | 'lead' | 'button' | 'notYou' | 'why', string>

export interface TaxIdTexts {
  tax_id_corrected: Warning
  tax_id_changed_by_support: Warning & { removed: string }
}
