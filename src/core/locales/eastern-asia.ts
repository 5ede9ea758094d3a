import type { Wording } from './wording.ts';

/** South, East and South-East Asia. */
export const EASTERN_ASIA: Readonly<Record<string, Wording>> = {
  bn: {
    sms: '{{code}} আপনার {{brand}} কোড।',
    warning: 'এটি কাউকে বলবেন না।',
    voice: 'আপনার {{brand}} কোড হলো: {{code}}।',
  },
  fil: {
    sms: '{{code}} ang iyong {{brand}} code.',
    warning: 'Huwag itong ibahagi kaninuman.',
    voice: 'Ang iyong {{brand}} code ay: {{code}}.',
  },
  hi: {
    sms: '{{code}} आपका {{brand}} कोड है।',
    warning: 'इसे किसी को न बताएं।',
    voice: 'आपका {{brand}} कोड है: {{code}}।',
  },
  id: {
    sms: '{{code}} adalah kode {{brand}} Anda.',
    warning: 'Jangan berikan kepada siapa pun.',
    voice: 'Kode {{brand}} Anda adalah: {{code}}.',
  },
  ja: {
    sms: '{{code}} は {{brand}} の認証コードです。',
    warning: '他人に教えないでください。',
    voice: '{{brand}} の認証コードは、{{code}} です。',
    pause: '、',
  },
  km: {
    sms: '{{code}} គឺជាលេខកូដ {{brand}} របស់អ្នក។',
    warning: 'កុំប្រាប់អ្នកណា។',
    voice: 'លេខកូដ {{brand}} របស់អ្នកគឺ {{code}}។',
  },
  ko: {
    sms: '{{code}} - {{brand}} 인증번호입니다.',
    warning: '타인에게 알려주지 마세요.',
    voice: '{{brand}} 인증번호는 {{code}} 입니다.',
  },
  lo: {
    sms: '{{code}} ແມ່ນລະຫັດ {{brand}} ຂອງທ່ານ.',
    warning: 'ຢ່າບອກໃຜ.',
    voice: 'ລະຫັດ {{brand}} ຂອງທ່ານແມ່ນ {{code}}.',
  },
  mr: {
    sms: '{{code}} हा तुमचा {{brand}} कोड आहे.',
    warning: 'तो कोणालाही सांगू नका.',
    voice: 'तुमचा {{brand}} कोड आहे: {{code}}.',
  },
  ms: {
    sms: '{{code}} ialah kod {{brand}} anda.',
    warning: 'Jangan kongsi dengan sesiapa.',
    voice: 'Kod {{brand}} anda ialah: {{code}}.',
  },
  my: {
    sms: '{{code}} သည် သင်၏ {{brand}} ကုဒ်ဖြစ်သည်။',
    warning: 'မည်သူ့ကိုမျှ မပြောပါနှင့်။',
    voice: 'သင်၏ {{brand}} ကုဒ်မှာ {{code}} ဖြစ်သည်။',
    pause: '၊ ',
  },
  ne: {
    sms: '{{code}} तपाईंको {{brand}} कोड हो।',
    warning: 'यो कसैलाई नभन्नुहोस्।',
    voice: 'तपाईंको {{brand}} कोड हो: {{code}}।',
  },
  ta: {
    sms: '{{code}} உங்கள் {{brand}} குறியீடு.',
    warning: 'இதை யாரிடமும் பகிர வேண்டாம்.',
    voice: 'உங்கள் {{brand}} குறியீடு: {{code}}.',
  },
  te: {
    sms: '{{code}} మీ {{brand}} కోడ్.',
    warning: 'దీన్ని ఎవరికీ చెప్పకండి.',
    voice: 'మీ {{brand}} కోడ్: {{code}}.',
  },
  th: {
    sms: '{{code}} คือรหัส {{brand}} ของคุณ',
    warning: 'ห้ามบอกผู้อื่น',
    voice: 'รหัส {{brand}} ของคุณคือ {{code}}.',
  },
  vi: {
    sms: '{{code}} là mã {{brand}} của bạn.',
    warning: 'Không chia sẻ mã này với ai.',
    voice: 'Mã {{brand}} của bạn là: {{code}}.',
  },
  'zh-Hans': {
    sms: '{{code}} 是您的 {{brand}} 验证码。',
    warning: '请勿告诉他人。',
    voice: '您的 {{brand}} 验证码是：{{code}}。',
    pause: '，',
  },
  'zh-Hant': {
    sms: '{{code}} 是您的 {{brand}} 驗證碼。',
    warning: '請勿告訴他人。',
    voice: '您的 {{brand}} 驗證碼是：{{code}}。',
    pause: '，',
  },
};
