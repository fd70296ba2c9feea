import type { createSecurityPtBR } from './pt-br.ts'

export function createSecurityEs(service: string) {
  return {
    password_changed: {
      subject: 'Tu contraseña cambió',
      title: 'Tu contraseña cambió',
      lead: 'La contraseña de tu cuenta acaba de cambiar. Si fuiste tú, no tienes que hacer nada.',
      button: 'No fui yo: recuperar la cuenta',
      notYou: 'Si no fuiste tú, recupera la cuenta ahora.',
      why: 'Recibiste este correo porque avisamos siempre que cambia la contraseña de tu cuenta.',
      passkeysStay: 'Tus passkeys siguen valiendo. Si alguna no es tuya, quítala en “Tu cuenta”.',
    },
    passkey_added: {
      subject: 'Nueva passkey en tu cuenta',
      title: 'Tu cuenta tiene una passkey nueva',
      lead: 'Con ella se puede entrar en tu cuenta sin contraseña. Si la creaste tú, no hace falta hacer nada.',
      button: 'No fui yo: proteger la cuenta',
      notYou: 'Si no fuiste tú, alguien puede entrar en tu cuenta. Protégela ahora: la passkey dejará de valer.',
      why: 'Recibiste este correo porque avisamos cuando cambia la forma de entrar en tu cuenta.',
    },
    passkey_removed: {
      subject: 'Passkey quitada de tu cuenta',
      title: 'Se quitó una passkey de tu cuenta',
      lead: 'Ya no da acceso a la cuenta, y se cerró la sesión en los navegadores que entraron con ella, menos en el que la quitó. Si fuiste tú, no hace falta hacer nada.',
      button: 'No fui yo: proteger la cuenta',
      notYou: 'Si no fuiste tú, alguien puede estar dentro de tu cuenta. Protégela ahora.',
      why: 'Recibiste este correo porque avisamos cuando cambia la forma de entrar en tu cuenta.',
    },
    new_device: {
      subject: 'Nuevo inicio de sesión en tu cuenta',
      title: 'Tu cuenta se abrió en un dispositivo nuevo',
      lead: 'Alguien entró en tu cuenta desde un dispositivo que no conocíamos. Si fuiste tú, no tienes que hacer nada.',
      button: 'No fui yo: proteger la cuenta',
      notYou: 'Si no fuiste tú, alguien puede saber tu contraseña. Protege la cuenta ahora.',
      why: 'Recibiste este correo porque avisamos cuando tu cuenta se abre en un dispositivo nuevo.',
    },
    second_factor_on: {
      subject: 'Verificación en dos pasos activada',
      title: 'La verificación en dos pasos está activada',
      lead: 'A partir de ahora, entrar en tu cuenta pide también el código de tu app. Si la activaste tú, no tienes que hacer nada.',
      button: 'No fui yo: proteger la cuenta',
      notYou: 'Si no fuiste tú, alguien puede haber entrado en tu cuenta. Protégela ahora: eso también desactiva lo que activaron.',
      why: 'Recibiste este correo porque avisamos cuando cambia la forma de entrar en tu cuenta.',
    },
    second_factor_off: {
      subject: 'Verificación en dos pasos desactivada',
      title: 'La verificación en dos pasos se desactivó',
      lead: 'Entrar en tu cuenta ya no pide el código de la app, y los códigos de recuperación dejaron de valer. Si fuiste tú, no tienes que hacer nada.',
      button: 'No fui yo: proteger la cuenta',
      notYou: 'Si no fuiste tú, protege la cuenta ahora.',
      why: 'Recibiste este correo porque avisamos cuando cambia la forma de entrar en tu cuenta.',
    },
    recovery_codes_renewed: {
      subject: 'Nuevos códigos de recuperación',
      title: 'Tu cuenta tiene nuevos códigos de recuperación',
      lead: 'Alguien generó nuevos códigos de recuperación, y los anteriores dejaron de valer. Si fuiste tú, no tienes que hacer nada.',
      button: 'No fui yo: proteger la cuenta',
      notYou: 'Si no fuiste tú, alguien está en tu cuenta. Protege la cuenta ahora.',
      why: 'Recibiste este correo porque avisamos cuando cambia la forma de entrar en tu cuenta.',
    },
    factors_removed: {
      subject: 'El soporte cambió cómo entras en tu cuenta',
      title: 'El soporte cambió cómo entras en tu cuenta',
      lead: 'La verificación en dos pasos está desactivada, los códigos de recuperación y las passkeys ya no valen, y se cerró la sesión en todos los navegadores. Entra con tu contraseña o con otro servicio, y activa de nuevo lo que quieras. Si lo pediste al soporte, no tienes que hacer nada más.',
      button: 'No lo pedí: proteger la cuenta',
      notYou: 'Si no lo pediste tú, alguien pudo hacerse pasar por ti. Protege la cuenta ahora.',
      why: 'Recibiste este correo porque avisamos cuando cambia la forma de entrar en tu cuenta.',
    },
    recovery_code_used: {
      subject: 'Se usó un código de recuperación',
      title: 'Se usó un código de recuperación',
      lead: 'Alguien entró en tu cuenta con uno de tus códigos de recuperación, en lugar de la app. Si fuiste tú, no tienes que hacer nada.',
      button: 'No fui yo: proteger la cuenta',
      notYou: 'Si no fuiste tú, protege la cuenta ahora.',
      why: 'Recibiste este correo porque avisamos siempre que se usa un código de recuperación de tu cuenta.',
    },
    impersonated: {
      subject: 'Soporte abrió tu cuenta en tu nombre',
      title: 'Soporte abrió tu cuenta en tu nombre',
      lead: `Alguien del equipo que administra ${service} entró en tu cuenta, durante 15 minutos como máximo, para ver lo que tú ves.`,
      limits:
        'Quien entra así no ve ni cambia tu contraseña, no modifica correo, datos, verificación en dos pasos, passkeys ni consentimientos, y no exporta ni elimina nada. En “Dónde has entrado” ves este acceso y puedes terminarlo.',
      notYou: 'Si no pediste ayuda y no entiendes el motivo, pregunta a soporte: quién entró queda registrado.',
      why: 'Recibes este correo porque siempre avisamos cuando alguien de soporte abre tu cuenta en tu nombre.',
    },
  } satisfies ReturnType<typeof createSecurityPtBR>
}
