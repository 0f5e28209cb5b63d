resource "lab_flask" "one" {
  label = "hush"
}
