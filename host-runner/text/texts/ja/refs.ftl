refs-unreadable = { $file } を読めないため使いません：{ $error }
refs-too-many = { $file } のプロバイダーが { $most } 個を超えています。残りは使いません
refs-bad-rule = { $file }：{ $described } の規則 { $place } を使いません：{ $error }
refs-is-no-file = ファイルではありません
refs-too-large = { $most } バイトを超えています
refs-bad-pattern = パターンを使えません：{ $error }
refs-no-group = パターンに番号のグループがありません
